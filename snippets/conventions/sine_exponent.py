import torch

d, base = 8, 10000.0


def reads(omega):
    """The slowest frequency of width eight: where does its exponent end?"""
    exponent = -float(omega[-1].log() / torch.tensor(base).log())
    ends = {"paper": (d - 2) / d, "half_minus_one": 1.0, "notes": (d / 2 - 1) / (d - 1)}
    return min(ends, key=lambda name: abs(ends[name] - exponent))


i = torch.arange(d // 2)
answers = {
    "base ** (-2 * i / d)": reads(base ** (-2 * i / d)),
    "base ** (-i / (d // 2 - 1))": reads(base ** (-i / (d // 2 - 1))),
    "base ** (-i / (d - 1))": reads(base ** (-i / (d - 1))),
}
for call, answer in answers.items():
    print(call, "->", answer)
