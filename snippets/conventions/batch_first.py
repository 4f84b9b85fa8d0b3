import torch
import torch.nn.functional as F
from torch import nn


def reads(attention):
    """Two by three tokens: how many keys has the map of one query?"""
    keys = attention(torch.zeros(2, 3, 4)).shape[-1]
    return "sequence_first" if keys == 2 else "batch_first"


def weights_of(**options):
    layer = nn.utils.skip_init(nn.MultiheadAttention, 4, 1, bias=False, **options)
    for weight in layer.parameters():
        nn.init.zeros_(weight)
    return lambda x: layer(x, x, x)[1]


def weights_of_sdpa(x):
    return F.scaled_dot_product_attention(x, x, torch.eye(x.shape[-2]).expand(x.shape[0], -1, -1))


answers = {
    "nn.MultiheadAttention(d_model, n_heads)": reads(weights_of()),
    "nn.MultiheadAttention(..., batch_first=True)": reads(weights_of(batch_first=True)),
    "F.scaled_dot_product_attention(q, k, v)": reads(weights_of_sdpa),
}
for call, answer in answers.items():
    print(call, "->", answer)
