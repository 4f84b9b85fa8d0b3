"""Exhibits from what stands around attention: positions, counting, pictures, files, Streamlit."""

from core.mistakes.exhibit import SUMS, Exhibit

AROUND = (
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
        "first_run", "counting", 10, "shown",
        law="len(times) > 30 and shown == [min(times), times[len(times) // 2], max(times)]",
        fault="len(times) == len(shown) == 1",
        page="rnn_vs_attention", scale="signed",
    ),
    Exhibit(
        "swapped_axes", "pictures", 12, "picture",
        law="picture.shape == (len(queries), len(keys)) and " + SUMS.format("picture") + ".all()",
        fault="picture.shape == (len(keys), len(queries)) and " + SUMS.format("picture.mT") + ".all()",
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
        "two_decimals", "pictures", 14, "shown",
        law="[float(text) for text in shown] == scores",
        fault="shown[1] == '0.00'",
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
        "class_watcher", "files", 14, "paths",
        law="'torch' in paths and 'torch.classes' not in paths",
        fault="'RuntimeError' in error and '__path__' in error",
        page="home",
    ),
    Exhibit("forgetful_slider", "streamlit", 14, "", law="tau == 3", fault="tau == 1", page="positions"),
    Exhibit("lost_edit", "streamlit", 14, "", law="after == before", fault="after != before", page="worked_example"),
)  # fmt: skip
