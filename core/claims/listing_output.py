"""What the notes print as the output of their verification listing, held against what the listing really prints."""

import math
from fractions import Fraction

import torch

from core.attention import heads
from core.claims import listing, printed, printed_listing
from core.claims.compare import agrees, verdict
from core.claims.ledger import Found, Value, claim
from core.claims.listing import BATCH, D_FF, D_MODEL, N_HEADS, SHOWN_ROW, SHOWN_SIDE, N
from core.claims.self_attention import operands
from core.complexity import parameters
from core.complexity.counts import notes_table
from core.complexity.paths import attention_path, rnn_path
from core.device import generator

IT, APPLE, SPEAKER = (printed_listing.WORDS.index(word) for word in ("它", "苹果", "我"))


@claim(
    "003-067", "listing", "L270-275, L310", "code", "return output, attn_weights", "imprecise",
    "heads", "hd_look=listing", tolerance="±1e-6 (float32)",
)  # fmt: skip
def returned_weights() -> Found:
    """Row sums of the weights that the listing's module returns, and the zeros among the block's (seed 42)."""
    run = listing.run()
    sums, zeros = run.module_dropped.sum(-1), int((run.block_dropped == 0).sum())
    low, high = float(sums.min()), float(sums.max())
    values: dict[str, Value] = {"low": low, "high": high, "zeros": zeros, "total": run.block_dropped.numel()}
    whole = math.isclose(low, 1, abs_tol=1e-6) and math.isclose(high, 1, abs_tol=1e-6)
    return Found("correct" if whole and not zeros else "imprecise", values)


@claim(
    "003-068", "listing", "L376, L449", "number", "权重和（应为1.0）: 1.000000", "correct", "heads", "hd_look=listing",
    tolerance="±2.5e-7 (float32)",
)  # fmt: skip
def row_sum() -> Found:
    """The sum of row 0 of the listing's weights, in its own float32, by its own format of six decimals (seed 42)."""
    total = listing.run().free.weights[0, 0, 0].sum().item()
    shown = f"{total:.6f}"
    return Found("correct" if shown == printed_listing.ROW_SUM else "wrong", {"total": total, "shown": shown})


@claim(
    "003-069",
    "listing",
    "L446-448",
    "number",
    "输出: [2, 4, 10, 16]; 注意力权重: [2, 4, 10, 10]",
    "correct",
    "heads",
    "hd_look=listing",
)
def function_shapes() -> Found:
    """The shapes of Q, of the output and of the weights in section 1 of the listing."""
    run = listing.run()
    right = tuple(tuple(each.shape) for each in (operands()[0], run.free.output, run.free.weights))
    said = (printed_listing.OPERANDS, printed_listing.OUTPUT, printed_listing.WEIGHTS)
    values = dict(zip(("operands", "output", "weights"), right, strict=True))
    return Found("correct" if right == said else "wrong", values)


@claim(
    "003-072", "listing", "L454", "number", "位置 (5,5) 的权重: ['0.12', '0.08', '0.15', '0.18', '0.22', '0.25', …]",
    "wrong", "heads", "hd_look=listing", tolerance="±1e-6 (float32)",
)  # fmt: skip
def row_five() -> Found:
    """Row 5 of the listing's masked weights, sample 0, head 0 (seed 42), its scores, its distance from the print."""
    masked = listing.run().masked
    right = masked.weights[0, 0, SHOWN_ROW].double()
    said = torch.tensor([float(text) for text in printed_listing.ROW_5], dtype=torch.float64)
    values: dict[str, Value] = {
        "row": SHOWN_ROW,
        "right": tuple(right.tolist()),
        "scores": tuple(masked.scaled[0, 0, SHOWN_ROW, : SHOWN_ROW + 1].tolist()),
        "said_top": int(said.argmax()),
        "top": int(right.argmax()),
        "apart": float((said - right).abs().sum()),
    }
    return Found(verdict(printed_listing.ROW_5, right.tolist()), values)


@claim(
    "003-073",
    "listing",
    "L384, L454",
    "code",
    "[f'{w:.3f}' for w in weights_masked[0, 0, 5, :]]",
    "wrong",
    "heads",
    "hd_look=listing",
)
def three_decimals() -> Found:
    """How many decimals the printed row has in each place, and the row as the listing's own format writes it."""
    row = listing.run().masked.weights[0, 0, SHOWN_ROW].tolist()
    shown = tuple(f"{weight:.3f}" for weight in row)
    said, right = (tuple(len(text.partition(".")[2]) for text in each) for each in (printed_listing.ROW_5, shown))
    return Found("correct" if said == right else "wrong", {"said": said, "right": right, "shown": shown})


@claim(
    "003-075",
    "listing",
    "L457-459",
    "number",
    "输出: [2, 10, 64]; 注意力权重: [2, 4, 10, 10]",
    "correct",
    "heads",
    "hd_look=shapes",
)
def module_shapes() -> Found:
    """The shapes of output and weights of a module of the listing's sizes, whatever numbers stand in it."""
    source = generator(0)
    weights = heads.drawn(D_MODEL, N_HEADS, N_HEADS, True, "linear", source)
    x = torch.randn(BATCH, N, D_MODEL, generator=source)
    made = heads.multi_head(x, x, weights, N_HEADS)
    output, maps = tuple(made.output.shape), tuple(made.attended.weights.shape)
    said = (printed_listing.MODULE_OUTPUT, printed_listing.MODULE_WEIGHTS)
    return Found("correct" if (output, maps) == said else "wrong", {"output": output, "weights": maps})


@claim(
    "003-076", "listing", "L460", "number", "参数量: 16,834", "wrong", "heads", "hd_look=parameters", tolerance="= 0"
)
def module_parameters() -> Found:
    """Parameters counted in a real module, by 4d² + 4d, without biases, and the width that the print would need."""
    said, right = printed_listing.MODULE_PARAMETERS, listing.run().module
    formula = sum(parameters.attention_parameters(D_MODEL, N_HEADS).values())
    bare = sum(parameters.attention_parameters(D_MODEL, N_HEADS, bias=False).values())
    width = (math.sqrt(1 + said) - 1) / 2  # 4d² + 4d = said
    values: dict[str, Value] = {
        "said": said,
        "right": right,
        "off": said - right,
        "bare": bare,
        "d": D_MODEL,
        "width": f"{width:.3f}",
    }
    return Found("correct" if said == right == formula else "wrong", values)


@claim("003-077", "block", "L465", "number", "参数量: 33,538", "wrong", "heads", "hd_look=parameters", tolerance="= 0")
def block_parameters() -> Found:
    """Parameters counted in torch's own block, part by part by formula, and the d_ff that the print would need."""
    said, right = printed_listing.BLOCK_PARAMETERS, listing.run().block
    attention = sum(parameters.attention_parameters(D_MODEL, N_HEADS).values())
    parts = parameters.block_parameters(D_MODEL, D_FF)
    rest = said - attention - parts["norms"] - D_MODEL  # = d_ff (2d + 1)
    values: dict[str, Value] = {
        "said": said,
        "right": right,
        "off": right - said,
        "attention": attention,
        **parts,
        "d_ff": D_FF,
        "needed": f"{rest / (2 * D_MODEL + 1):.3f}",
        "needed_with_print": f"{(rest + attention - printed_listing.MODULE_PARAMETERS) / (2 * D_MODEL + 1):.3f}",
    }
    return Found("correct" if said == right == attention + sum(parts.values()) else "wrong", values)


@claim("003-078", "listing", "L404-418, L466-467", "code", "5. 注意力权重可视化", "wrong", "heads", "hd_look=listing")
def expected_output() -> Found:
    """The printed output against the listing: missing sections, lines with other numbers, rows not in its format."""
    missing = tuple(number for number in printed_listing.LISTED_SECTIONS if number not in printed_listing.SECTIONS)
    run = listing.run()
    row = run.masked.weights[0, 0, SHOWN_ROW].tolist()
    changed = (
        not all(agrees(text, weight) for text, weight in zip(printed_listing.ROW_5, row, strict=True)),
        run.module != printed_listing.MODULE_PARAMETERS,
        run.block != printed_listing.BLOCK_PARAMETERS,
    )
    said, right = printed_listing.COST_ROWS + printed_listing.PATH_ROWS, _table_rows()
    others = sum(a != b for a, b in zip(said, right, strict=True))
    values: dict[str, Value] = {
        "missing": missing,
        "value_lines": sum(changed),
        "rows": len(said),
        "other_rows": others,
    }
    return Found("wrong" if missing or any(changed) or others else "correct", values)


@claim(
    "003-079", "listing", "L405-418", "code", 'words = ["我", "喜欢", "吃", "苹果", "因为", "它", …]', "imprecise",
    "heads", "hd_look=listing", tolerance="±1e-6 (float32)",
)  # fmt: skip
def shown_attention() -> Found:
    """The map that section 5 shows (seed 42): zeros and a row sum after dropout, and the same row without dropout."""
    run = listing.run()
    before, after = run.kept, run.dropped
    zeros, total = int((after == 0).sum()), float(after[IT].sum())
    values: dict[str, Value] = {
        "zeros": zeros,
        "cells": after.numel(),
        "total": total,
        "plain": tuple(before[IT].tolist()),
        "least": float(before.min()),
        "most": float(before.max()),
        "even": Fraction(1, N),
        "to_apple": f"{float(after[IT, APPLE]):.3f}",
        "to_i": f"{float(after[IT, SPEAKER]):.3f}",
        "columns": SHOWN_SIDE,
        "tokens": N,
    }
    return Found("imprecise" if zeros or not math.isclose(total, 1, abs_tol=1e-6) else "correct", values)


def _table_rows() -> tuple[str, ...]:
    """Sections 6 and 7 without their headings, by the listing's own formats."""
    table = notes_table(printed.COMPLEXITY_D, [row[0] for row in printed.COMPLEXITY_TABLE])
    costs = ((row.n, row.rnn_multiplications, row.attention_multiplications, row.attention_memory) for row in table)
    ways = ((row[0], rnn_path(row[0]), attention_path(row[0])) for row in printed.PATH_TABLE)
    return (
        *(printed_listing.cost_row(*numbers) for numbers in costs),
        *(printed_listing.path_row(*numbers) for numbers in ways),
    )
