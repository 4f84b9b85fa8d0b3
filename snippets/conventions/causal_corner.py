import torch
import torch.nn.functional as F

n_q, n_k = 2, 5
q, k, v = torch.zeros(1, 1, n_q, n_k), torch.eye(n_k)[None, None], torch.eye(n_k)[None, None]


def reads(weights):
    """The last of two queries on five keys: does it see all of them, or the first two?"""
    return {2: "upper_left", 5: "lower_right"}[int((weights[0, 0, -1] > 0).sum())]


def masked(keep):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=keep)


ones = torch.ones(n_q, n_k, dtype=torch.bool)
answers = {
    "F.scaled_dot_product_attention(is_causal=True)": reads(
        F.scaled_dot_product_attention(q, k, v, is_causal=True)
    ),
    "attn_mask=ones.tril()": reads(masked(ones.tril())),
    "attn_mask=ones.tril(n_k - n_q)": reads(masked(ones.tril(n_k - n_q))),
}
for call, answer in answers.items():
    print(call, "->", answer)
