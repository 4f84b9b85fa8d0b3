import torch


def reads(rotate):
    """A quarter turn of the first pair: which column does [1, 0, 0, 0] end in?"""
    turned = rotate(torch.tensor([1.0, 0.0, 0.0, 0.0]), torch.tensor([torch.pi / 2, 0.0]))
    return {1: "interleaved", 2: "half"}[int(turned.abs().argmax())]


def complex_pairs(x, angles):
    pairs = torch.view_as_complex(x.reshape(-1, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones(2), angles)).flatten()


def rotate_half(x, angles):
    cos, sin = angles.cos().repeat(2), angles.sin().repeat(2)
    first, second = x.chunk(2)
    return x * cos + torch.cat([-second, first]) * sin


answers = {
    "view_as_complex(x.reshape(-1, 2)) * turns": reads(complex_pairs),
    "x * cos + rotate_half(x) * sin": reads(rotate_half),
}
for call, answer in answers.items():
    print(call, "->", answer)
