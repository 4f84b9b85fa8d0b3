import torch


def rotate(x, layout):
    angles = torch.outer(torch.arange(len(x)).float(), torch.tensor([1.0, 0.1]))
    first, second = x.chunk(2, -1) if layout == "half" else (x[:, 0::2], x[:, 1::2])
    cos, sin = angles.cos(), angles.sin()
    turned = first * cos - second * sin, first * sin + second * cos
    return torch.cat(turned, -1) if layout == "half" else torch.stack(turned, -1).flatten(1)


q = torch.tensor([1.0, 0.0, 2.0, 1.0]).expand(4, 4)
k = torch.tensor([0.0, 1.0, 1.0, 2.0]).expand(4, 4)
scores = rotate(q, "half") @ rotate(k, "half").T
print(scores)
