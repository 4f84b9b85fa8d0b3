"""What the notes print under their verification listing as its expected output: quotations, right or wrong."""

SECTIONS = (1, 2, 3, 4, 6, 7)
LISTED_SECTIONS = (1, 2, 3, 4, 5, 6, 7)
"""The sections that the listing itself prints, by the numbers in its own headings."""

OPERANDS, OUTPUT, WEIGHTS, MASK = (2, 4, 10, 16), (2, 4, 10, 16), (2, 4, 10, 10), (1, 1, 10, 10)
MODULE_OUTPUT, MODULE_WEIGHTS = (2, 10, 64), (2, 4, 10, 10)
ROW_SUM = "1.000000"
ROW_0 = ("1.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "0.0")
ROW_5 = ("0.12", "0.08", "0.15", "0.18", "0.22", "0.25", "0.00", "0.00", "0.00", "0.000")
ROW_5_SEES = 6
MODULE_PARAMETERS, BLOCK_PARAMETERS = 16_834, 33_538

WORDS = ("我", "喜欢", "吃", "苹果", "因为", "它", "很", "甜", "。", "<pad>")

COST_ROWS = (
    "          32          131,072             65,536            1,024",
    "          64          262,144            262,144            4,096",
    "         128          524,288          1,048,576           16,384",
    "         256        1,048,576          4,194,304           65,536",
    "         512        2,097,152         16,777,216          262,144",
    "        1,024        4,194,304         67,108,864        1,048,576",
)
PATH_ROWS = (
    "         1            1                  1 ← 始终为 1",
    "         5            5                  1 ← 始终为 1",
    "        10           10                  1 ← 始终为 1",
    "        50           50                  1 ← 始终为 1",
    "       100          100                  1 ← 始终为 1",
    "       500          500                  1 ← 始终为 1",
)


def cost_row(n: int, rnn: int, attention: int, memory: int) -> str:
    """Write a row of section 6 by the listing's own format."""
    return f"   {n:>10} {rnn:>15,} {attention:>18,} {memory:>18,}"


def path_row(distance: int, rnn: int, attention: int) -> str:
    """Write a row of section 7 by the listing's own format."""
    return f"   {distance:>6} {rnn:>12} {attention:>18} ← 始终为 1"
