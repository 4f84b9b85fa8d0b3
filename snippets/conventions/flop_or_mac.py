from torch.utils.flop_counter import bmm_flop, mm_flop


def reads(count):
    """A product of 2x3 and 3x4 has 24 multiply-adds: is it 24, or 48?"""
    return {24: "mac", 48: "flop"}[count]


answers = {
    "torch.utils.flop_counter.mm_flop": reads(mm_flop((2, 3), (3, 4))),
    "torch.utils.flop_counter.bmm_flop": reads(bmm_flop((1, 2, 3), (1, 3, 4))),
}
for call, answer in answers.items():
    print(call, "->", answer)
