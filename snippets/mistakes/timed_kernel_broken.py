import torch
import torch.nn.functional as F

q = torch.ones(1, 1, 8, 16, requires_grad=True)
bias = torch.zeros(8, 8, requires_grad=True)

without = F.scaled_dot_product_attention(q, q, q)
with_bias = F.scaled_dot_product_attention(
    q, q, q, attn_mask=bias
)
kernels = [
    without.grad_fn.name(),
    with_bias.grad_fn.name(),
]
print(*kernels, sep="\n")
