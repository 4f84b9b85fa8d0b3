"""Exhibits from attention itself: masks, precision, scale and softmax, heads."""

from core.mistakes.exhibit import SUMS, Exhibit

INSIDE = (
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
        "true_means", "masks", 3, "weights",
        law="(weights.triu(1) == 0).all() and " + SUMS.format("weights") + ".all()",
        fault="(weights.tril() == 0).all() and (weights[2] == 0).all()",
        page="worked_example", link=(("mask", "lower_right"), ("reading", "hide")),
    ),
    Exhibit(
        "padding_axis", "masks", 3, "weights",
        law="(weights[:, ~real] == 0).all() and " + SUMS.format("weights") + ".all()",
        fault="(weights[:2, ~real] > 0).all() and (weights[2:] == 0).all()",
        page="worked_example",
    ),
    Exhibit(
        "mask_after", "masks", 3, "weights",
        law=SUMS.format("weights") + ".all()",
        fault="(weights[:, ~keep[0]] == 0).all() and (weights.sum(-1) < 1).all()",
        page="worked_example", link=(("mask", "lower_right"), ("mistake", "mask_after")),
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
        "half_fill", "precision", 2, "weights",
        law="weights[0, 2] == 0 and " + SUMS.format("weights") + ".all()",
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
        "integer_scores", "precision", 13, "weights",
        law=SUMS.format("weights") + ".all()",
        fault="'Long' in error",
        page="worked_example",
    ),
    Exhibit(
        "scale_width", "weights", 8, "weights",
        law="abs((weights[0, 0] / weights[0, 1]).log() - (8 - 4) / (d_model / n_heads) ** 0.5) < 1e-5",
        fault="scale < (d_model / n_heads) ** -0.5",
        page="sqrt_dk",
    ),
    Exhibit(
        "precedence", "weights", 8, "weights",
        law="abs((weights[0, 0] / weights[0, 1]).log() - (8 - 4) / 4) < 1e-5",
        fault="abs((weights[0, 0] / weights[0, 1]).log() - (8 - 4) / d_k / 2) < 1e-5",
        page="worked_example", link=(("mistake", "precedence"),),
    ),
    Exhibit(
        "softmax_axis", "weights", 8, "weights",
        law=SUMS.format("weights") + ".all()",
        fault=SUMS.format("weights.mT") + ".all() and not " + SUMS.format("weights") + ".any()",
        page="worked_example", link=(("mistake", "axis"),),
    ),
    Exhibit(
        "shown_weights", "weights", 8, "shown",
        law=SUMS.format("shown") + ".all()",
        fault="(shown == 0).any() and not " + SUMS.format("shown") + ".any()",
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
        "no_weights", "weights", 11, "weights",
        law="(weights @ x - output).abs().max() < 1e-6 and " + SUMS.format("weights") + ".all()",
        fault="'NoneType' in error and returned is None",
        page="worked_example",
    ),
    Exhibit(
        "unpacked_batch", "weights", 11, "weights",
        law=SUMS.format("weights") + ".all()",
        fault="output.shape == weights.shape and (weights == F.scaled_dot_product_attention(q, k, v)[1]).all()",
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
)  # fmt: skip
