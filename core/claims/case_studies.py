"""What the notes tell of systems that use attention, and which papers they cite: listed, or recomputed from sources."""

import statistics

from core.claims.ledger import Found, Value, claim, listed

SAID_BETTER = (55, 85)
SIDE_BY_SIDE = {
    "En-Es": (4.885, 5.428, 5.504),
    "En-Fr": (4.932, 5.295, 5.496),
    "En-Zh": (4.035, 4.594, 4.987),
    "Es-En": (4.872, 5.187, 5.372),
    "Fr-En": (5.046, 5.343, 5.404),
    "Zh-En": (3.694, 4.263, 4.636),
}
"""Mean side-by-side scores, 0 to 6, of the phrase-based system, GNMT and human translators.

Source: Wu et al. 2016, "Google's neural machine translation system", table 10.
"""


@claim(
    "003-092", "scores", "L492", "number", "这个系统将翻译质量提升了 55%-85%（按人类评估）", "imprecise", "heads",
    "heads_lab=translation",
)  # fmt: skip
def translation_quality() -> Found:
    """How much the published scores of GNMT rose, and which share of the gap to human translators that closes."""
    closed = tuple(100 * (new - old) / (human - old) for old, new, human in SIDE_BY_SIDE.values())
    gain = tuple(100 * (new - old) / old for old, new, _ in SIDE_BY_SIDE.values())
    low, high = SAID_BETTER
    better, fewer_errors = (low <= statistics.median(each) <= high for each in (gain, closed))
    shown = [tuple(f"{each:.1f}" for each in numbers) for numbers in (closed, gain)]
    values: dict[str, Value] = {
        "pairs": tuple(SIDE_BY_SIDE),
        "closed": closed,
        "gain": gain,
        "closed_shown": shown[0],
        "gain_shown": shown[1],
        "low": f"{low}",
        "high": f"{high} %",
    }
    return Found("correct" if better else "imprecise" if fewer_errors else "wrong", values)


dall_e = listed(
    "003-093", "heads", "L496", "OpenAI 的 DALL-E 使用 Cross-Attention 将文本描述和图像生成连接起来", "wrong", "heads",
    "heads_lab=image",
)  # fmt: skip
alphafold = listed(
    "003-094", "heads", "L500", '它使用了一种叫"Invariant Point Attention"的变体', "correct", "heads",
    "heads_lab=protein",
)  # fmt: skip
papers = listed("003-112", "scores", "L539-541", "arXiv 1409.0473, 1706.03762, 1508.04025", "correct", "scores")
