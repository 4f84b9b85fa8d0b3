"""The list of exhibits; the snippets lie in ``snippets/mistakes`` as ``<name>_broken.py`` and ``<name>_right.py``.

An exhibit's ``law`` is a Python condition on a snippet's names that the right one satisfies and the broken one does
not; its ``fault`` says how the broken one fails, in the same way, with ``error`` as the last line of a traceback.
"""

from dataclasses import dataclass
from typing import Literal

Scale = Literal["weight", "signed"]

TOPICS = ("masks", "precision", "positions", "weights", "heads", "counting", "pictures", "files", "streamlit")
STREAMLIT = "streamlit"


@dataclass(frozen=True)
class Exhibit:
    """One fault: its number among the kinds, what is drawn of each snippet (``shows``), and where it can be seen.

    ``link`` is the state of ``page`` in which the same fault stands.
    """

    name: str
    topic: str
    kind: int
    shows: str
    law: str
    fault: str
    page: str
    link: tuple[tuple[str, str], ...] = ()
    scale: Scale = "weight"

    @property
    def needs_streamlit(self) -> bool:
        """Say whether the snippets are apps, which only Streamlit's test client runs."""
        return self.topic == STREAMLIT


_SUMS = "(({0}.sum(-1) - 1).abs() < 1e-6)"

EXHIBITS = (
    Exhibit(
        "empty_row", "masks", 1, "weights",
        law="weights.isfinite().all()",
        fault="weights[0].isfinite().all() and weights[1].isnan().all()",
        page="worked_example",
    ),
    Exhibit(
        "causal_and_padding", "masks", 1, "weights",
        law="weights.isfinite().all() and (weights[:, :2] == 0).all()",
        fault="weights.isnan().all(-1).tolist() == [True, True, False, False]",
        page="worked_example",
    ),
    Exhibit(
        "half_fill", "precision", 2, "weights",
        law="weights[0, 2] == 0 and " + _SUMS.format("weights") + ".all()",
        fault="'overflow' in error",
        page="worked_example", link=(("precision", "float16"), ("fill", "1e9")),
    ),
    Exhibit(
        "half_overflow", "precision", 2, "weights",
        law="weights.isfinite().all() and weights[0, 0] > weights[0, 1]",
        fault="scores.isinf().all() and weights.isnan().all()",
        page="worked_example", link=(("precision", "float16"),),
    ),
    Exhibit(
        "true_means", "masks", 3, "weights",
        law="(weights.triu(1) == 0).all() and " + _SUMS.format("weights") + ".all()",
        fault="(weights.tril() == 0).all() and (weights[2] == 0).all()",
        page="worked_example", link=(("mask", "lower_right"), ("reading", "hide")),
    ),
    Exhibit(
        "padding_axis", "masks", 3, "weights",
        law="(weights[:, ~real] == 0).all() and " + _SUMS.format("weights") + ".all()",
        fault="(weights[:2, ~real] > 0).all() and (weights[2:] == 0).all()",
        page="worked_example",
    ),
    Exhibit(
        "batch_equals_length", "masks", 3, "item",
        law="all((weights[b, :, length:] == 0).all() for b, length in enumerate(lengths))",
        fault="(weights[0] == weights[2]).all() and (weights[2, 0] > 0).all()",
        page="worked_example",
    ),
    Exhibit(
        "causal_corner", "masks", 4, "weights",
        law="(weights[-1] > 0).all() and weights[0, -1] == 0",
        fault="(weights > 0).sum(-1).tolist() == [1, 2]",
        page="worked_example", link=(("mask", "upper_left"),),
    ),
    Exhibit(
        "odd_width", "positions", 5, "codes",
        law="codes.shape == (n, d) and (codes[:, -1] == angles[:, -1].sin()).all()",
        fault="'RuntimeError' in error and angles.shape[1] == d // 2 + 1",
        page="positions", scale="signed",
    ),
    Exhibit(
        "sine_variant", "positions", 5, "codes",
        law="gap < 1e-5",
        fault="gap > 0.1",
        page="positions", scale="signed",
    ),
    Exhibit(
        "rope_layout", "positions", 6, "scores",
        law="(scores[1:, 1:] - scores[:-1, :-1]).abs().max() < 1e-5",
        fault="(scores[1:, 1:] - scores[:-1, :-1]).abs().max() > 0.1",
        page="relative_positions", scale="signed",
    ),
    Exhibit(
        "rope_width", "positions", 6, "per_head",
        law="(per_head == per_head[0]).all() and len(per_head[0]) == d_head // 2",
        fault="len(omega) == d_model // 2 and (per_head[1] != per_head[0]).all()",
        page="relative_positions",
    ),
    Exhibit(
        "alibi_slopes", "positions", 7, "slopes",
        law="(slopes[:4] == 2.0 ** torch.tensor([-2, -4, -6, -8])).all()",
        fault="slopes[0] > 2.0**-2 and (slopes[1:] < slopes[:-1]).all()",
        page="relative_positions",
    ),
    Exhibit(
        "shaw_index", "positions", 7, "index",
        law="index[-1, -1] == k and index[0, 0] == 0",
        fault="index[0, 0] == k and index[-1, -1] == 2 * k",
        page="relative_positions", scale="signed",
    ),
    Exhibit(
        "scale_width", "weights", 8, "weights",
        law="abs((weights[0, 0] / weights[0, 1]).log() - (8 - 4) / (d_model / n_heads) ** 0.5) < 1e-5",
        fault="scale < (d_model / n_heads) ** -0.5",
        page="sqrt_dk",
    ),
    Exhibit(
        "softmax_axis", "weights", 8, "weights",
        law=_SUMS.format("weights") + ".all()",
        fault=_SUMS.format("weights.mT") + ".all() and not " + _SUMS.format("weights") + ".any()",
        page="worked_example", link=(("mistake", "axis"),),
    ),
    Exhibit(
        "shown_weights", "weights", 8, "shown",
        law=_SUMS.format("shown") + ".all()",
        fault="(shown == 0).any() and not " + _SUMS.format("shown") + ".any()",
        page="worked_example",
    ),
    Exhibit(
        "mean_of_heads", "weights", 8, "shown",
        law="(entropy == 0).all() and len(entropy) == len(heads)",
        fault="(entropy - torch.tensor(2.0).log()).abs().max() < 1e-6",
        page="heads",
    ),
    Exhibit(
        "zero_times_log", "weights", 8, "terms",
        law="(terms.sum() - torch.tensor(2.0).log()).abs() < 1e-6",
        fault="terms[0, :2].isfinite().all() and terms[0, 2:].isnan().all()",
        page="worked_example",
    ),
    Exhibit(
        "split_heads", "heads", 9, "first",
        law="(first == x[:, :d_head]).all()",
        fault="first.tolist() == [[0, 1], [2, 3], [4, 5]]",
        page="heads", link=(("hd_look", "shapes"),), scale="signed",
    ),
    Exhibit(
        "merge_heads", "heads", 9, "merged",
        law="(merged == x).all()",
        fault="merged[0].tolist() == [0, 1, 4, 5]",
        page="heads", link=(("hd_look", "shapes"),), scale="signed",
    ),
    Exhibit(
        "mac_or_flop", "counting", 10, "counts",
        law="counts[0, 0] == counts[0, 1]",
        fault="2 * counts[0, 0] == counts[0, 1]",
        page="rnn_vs_attention", scale="signed",
    ),
    Exhibit(
        "counter_zero", "counting", 10, "counts",
        law="counts[0, 0] == 2 * 2 * 4 * 96 * 96 * (32 + 32)",
        fault="counts[0, 0] == 0",
        page="rnn_vs_attention", scale="signed",
    ),
    Exhibit(
        "timed_kernel", "counting", 10, "kernels",
        law="kernels[0] == kernels[1]",
        fault="'FlashAttention' in kernels[0] and 'FlashAttention' not in kernels[1]",
        page="cheaper_attention",
    ),
    Exhibit(
        "no_weights", "weights", 11, "weights",
        law="(weights @ x - output).abs().max() < 1e-6 and " + _SUMS.format("weights") + ".all()",
        fault="'NoneType' in error and returned is None",
        page="worked_example",
    ),
    Exhibit(
        "swapped_axes", "pictures", 12, "picture",
        law="picture.shape == (len(queries), len(keys)) and " + _SUMS.format("picture") + ".all()",
        fault="picture.shape == (len(keys), len(queries)) and " + _SUMS.format("picture.mT") + ".all()",
        page="worked_example", link=(("drawn", "columns"),),
    ),
    Exhibit(
        "cut_labels", "pictures", 12, "labels",
        law="len(set(labels)) == len(tokens) and max(map(len, labels)) <= 14",
        fault="len(set(labels)) < len(tokens)",
        page="worked_example",
    ),
    Exhibit(
        "one_token", "pictures", 12, "tokens",
        law="len(tokens) == len(text)",
        fault="tokens == [text]",
        page="worked_example",
    ),
    Exhibit(
        "decimal_comma", "files", 13, "read",
        law="read == [[0.5, 0.25], [-1.5, 2.0]]",
        fault="frame.shape == (2, 1) and frame.index.nlevels > 1",
        page="worked_example", scale="signed",
    ),
    Exhibit(
        "lost_row", "files", 13, "read",
        law="len(read) == len(text.split())",
        fault="len(read) == len(text.split()) - 1 and read[0] == [0.3, 0.4]",
        page="worked_example", scale="signed",
    ),
    Exhibit(
        "ragged_file", "files", 13, "scores",
        law="scores.shape == (2, 2) and lengths.tolist() == [2, 1]",
        fault="'allow_pickle=False' in error",
        page="worked_example", scale="signed",
    ),
    Exhibit(
        "integer_scores", "precision", 13, "weights",
        law=_SUMS.format("weights") + ".all()",
        fault="'Long' in error",
        page="worked_example",
    ),
    Exhibit(
        "two_decimals", "pictures", 14, "shown",
        law="[float(text) for text in shown] == scores",
        fault="shown[1] == '0.00'",
        page="worked_example",
    ),
    Exhibit(
        "class_watcher", "files", 14, "paths",
        law="'torch' in paths and 'torch.classes' not in paths",
        fault="'RuntimeError' in error and '__path__' in error",
        page="home",
    ),
    Exhibit("forgetful_slider", "streamlit", 14, "", law="tau == 3", fault="tau == 1", page="positions"),
    Exhibit("lost_edit", "streamlit", 14, "", law="after == before", fault="after != before", page="worked_example"),
)  # fmt: skip

BY_NAME = {exhibit.name: exhibit for exhibit in EXHIBITS}
