import torch
from torch.utils.flop_counter import FlopCounterMode


def reads(count):
    """A product of 2x3 and 3x4 has 24 multiply-adds: is it 24, or 48?"""
    return {24: "mac", 48: "flop"}[count]


with FlopCounterMode(display=False) as counter:
    torch.ones(2, 3) @ torch.ones(3, 4)

answers = {"torch.utils.flop_counter.FlopCounterMode": reads(counter.get_total_flops())}
for call, answer in answers.items():
    print(call, "->", answer)
