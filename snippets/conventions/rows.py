import torch
import torch.nn.functional as F


def reads(attention):
    """Two queries, three keys: rows are queries if two rows come back."""
    q, k = torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 3, 4)
    return "rows" if attention(q, k, k).shape[-2] == 2 else "columns"


answers = {"F.scaled_dot_product_attention(q, k, v)": reads(F.scaled_dot_product_attention)}
for call, answer in answers.items():
    print(call, "->", answer)
