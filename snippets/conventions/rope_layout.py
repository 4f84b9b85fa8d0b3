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


def onnx(x, angles, **options):
    cos, sin = angles.cos()[None, None], angles.sin()[None, None]
    return torch.onnx.ops.rotary_embedding(x[None, None, None], cos, sin, **options).flatten()


answers = {
    "view_as_complex(x.reshape(-1, 2)) * turns": reads(complex_pairs),
    "x * cos + rotate_half(x) * sin": reads(rotate_half),
    "torch.onnx.ops.rotary_embedding(...)": reads(onnx),
    "torch.onnx.ops.rotary_embedding(interleaved=True)": reads(lambda x, a: onnx(x, a, interleaved=True)),
}
for call, answer in answers.items():
    print(call, "->", answer)
