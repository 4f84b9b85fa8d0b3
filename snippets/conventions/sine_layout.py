import torch


def reads(codes):
    """Position 0: sines are 0 and cosines 1; how do they lie?"""
    return {(0, 1, 0, 1): "interleaved", (0, 0, 1, 1): "concat"}[tuple(codes[0].round().int().tolist())]


angles = torch.outer(torch.arange(3.0), torch.tensor([1.0, 0.01]))
answers = {
    "torch.stack([sin, cos], -1).flatten(-2)": reads(
        torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
    ),
    "torch.cat([sin, cos], -1)": reads(torch.cat([angles.sin(), angles.cos()], -1)),
}
for call, answer in answers.items():
    print(call, "->", answer)
