import torch

n, d = 4, 5
omega = 10000.0 ** (-torch.arange(0, d, 2) / d)
angles = torch.outer(
    torch.arange(n).float(), omega
)

filled = torch.zeros(n, d)
filled[:, 0::2] = angles.sin()
filled[:, 1::2] = angles[:, : d // 2].cos()
codes = filled
print(codes)
