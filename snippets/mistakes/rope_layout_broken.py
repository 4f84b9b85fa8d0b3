import torch

angles = torch.outer(
    torch.arange(4.0), torch.tensor([1.0, 0.1])
)
cos, sin = angles.cos(), angles.sin()


def rotate(x, layout):
    half = layout == "half"
    a = x[:, :2] if half else x[:, 0::2]
    b = x[:, 2:] if half else x[:, 1::2]
    turned = a * cos - b * sin, a * sin + b * cos
    if half:
        return torch.cat(turned, -1)
    return torch.stack(turned, -1).flatten(1)


q = torch.tensor([[1.0, 0.0, 2.0, 1.0]] * 4)
k = torch.tensor([[0.0, 1.0, 1.0, 2.0]] * 4)
turned = rotate(k, "interleaved")
scores = rotate(q, "half") @ turned.T
print(scores)
