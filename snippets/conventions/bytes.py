from torch.autograd import profiler_util


def reads(spelt):
    """2 ** 20 bytes, spelt out: is the number 1 (of 2 ** 20), or 1.05 (of 10 ** 6)?"""
    return "binary" if float(spelt.split()[0]) == 1 else "decimal"


def decimal(count):
    return f"{count / 10**6:.2f} MB"


spelt = profiler_util._format_memory(2**20)
answers = {
    f"torch.profiler, which writes {spelt!r}": reads(spelt),
    'f"{count / 10**6:.2f} MB"': reads(decimal(2**20)),
}
for call, answer in answers.items():
    print(call, "->", answer)
