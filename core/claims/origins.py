"""Statements on where attention came from, and those that only trained models or other people's papers can decide."""

from core.claims.ledger import Found, Value, claim, listed

READING = {"bahdanau": ("1409.0473", 2015), "vaswani": ("1706.03762", 2017)}
"""From the notes' reading list: number of the preprint, which begins with year and month, and year of publication."""


@claim(
    "003-004", "lookup", "L19, L21", "qualitative",
    "2015 年之前，序列到序列（seq2seq）模型用 RNN 编码整个输入序列为一个固定长度的向量",
    "only_if", "home",
)  # fmt: skip
def first_attention() -> Found:
    """The year of Bahdanau's preprint, read off its number in the notes' reading list, beside that of publication."""
    number, published = READING["bahdanau"]
    year, month = _date(number)
    values: dict[str, Value] = {"preprint": str(year), "month": month, "published": str(published)}
    return Found("correct" if year == published == 2015 else "only_if" if published == 2015 else "wrong", values)


@claim(
    "003-005", "lookup", "L23", "number",
    "两年后的 Transformer 论文标题就是“Attention Is All You Need”",
    "correct", "home",
)  # fmt: skip
def two_years_later() -> Found:
    """The years between the publications in the notes' reading list, and the months between their preprints."""
    (first, before), (second, after) = READING["bahdanau"], READING["vaswani"]
    dates = [12 * year + month for year, month in map(_date, (first, second))]
    months = dates[1] - dates[0]
    values: dict[str, Value] = {"years": after - before, "months": months, "between": f"{months / 12:g}"}
    return Found("correct" if after - before == 2 else "wrong", values)


LONGEST_SEQUENCE = listed(
    "003-046", "cost", "L188",
    "原始 Transformer 处理的最大序列长度通常是 512",
    "imprecise", "positions",
)  # fmt: skip
DECODER_STATE = listed("003-049", "scores", "L198", "$s_i$ 是解码器的第 $i$ 个隐藏状态", "imprecise", "scores")
SIMILAR_QUALITY = listed("003-052", "scores", "L200", "在实践中，点积注意力和加性注意力的效果相近", "open", "scores")
KINDS_OF_HEADS = listed(
    "003-057", "heads", "L219",
    "有的头关注相邻词，有的头关注句法依赖，有的头关注指代关系",
    "open", "heads",
)  # fmt: skip


def _date(number: str) -> tuple[int, int]:
    """Year and month of a preprint's number."""
    return 2000 + int(number[:2]), int(number[2:4])
