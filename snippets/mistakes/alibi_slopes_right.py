import torch


def geometric(n):
    return 2.0 ** (
        -8 * torch.arange(1, n + 1) / n
    )


n_heads = 6
power = 1 << (n_heads.bit_length() - 1)
slopes = torch.cat(
    [
        geometric(power),
        geometric(2 * power)[0::2][
            : n_heads - power
        ],
    ]
)
print(slopes.tolist())
