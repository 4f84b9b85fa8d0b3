"""Each handed case through a thin adapter that only turns plain data into tensors."""

import io
from dataclasses import asdict

import numpy as np
import pytest
import torch

from core.attention.dot_product import attend, attention_scale, masked_softmax
from core.attention.heads import merge, split
from core.attention.masks import causal, key_padding, opposite
from core.attention.summary import dropout_sample, head_summary, row_entropy
from core.complexity.counts import attention_flops
from core.device import generator
from core.errors import InputError
from core.matrix_import.text import understand
from core.matrix_import.upload import understand_bytes
from core.positions import alibi, rotary, shaw
from core.positions.sinusoidal import encode
from tests.core.cases import CASES


def attention(device, q, k, v, keep=None, dtype=None):
    q, k, v = (operand(numbers, device, dtype) for numbers in (q, k, v))
    attended = attend(q, k, v, operand(keep, device))
    return {
        "weights": attended.weights,
        "output": attended.output,
        "empty_rows": attended.empty_rows.nonzero().flatten(),
    }


def softmax(device, scores, keep=None, blocked=None, dtype=None):
    if blocked is not None:
        keep = opposite(operand(blocked, device))
    weights, empty_rows = masked_softmax(operand(scores, device, dtype), operand(keep, device))
    return {"weights": weights, "empty_rows": empty_rows.nonzero().flatten()}


def padding_weights(device, keep_tokens):
    keep = key_padding(operand(keep_tokens, device))
    batch, n = len(keep_tokens), len(keep_tokens[0])
    return masked_softmax(torch.zeros(batch, 1, n, n, device=device), keep)[0].squeeze(1)


def weights_from_dots(device, dots, d_model, n_heads):
    return masked_softmax(operand(dots, device) * attention_scale(d_model, n_heads))[0]


def display_weights(device, weights, dropout):
    scores = operand(weights, device).log()
    shown, _ = masked_softmax(scores)
    sample = dropout_sample(shown, dropout, generator(0))
    assert ((sample == 0) | torch.isclose(sample, shown / (1 - dropout))).all()
    return masked_softmax(scores)[0]


def parse_matrix(device, data):
    pasted, uploaded = understand(data), understand_bytes(data.encode())
    assert (pasted.matrix, pasted.doubts) == (uploaded.matrix, ())
    return {"matrix": uploaded.matrix, "rows": uploaded.rows, "columns": uploaded.columns}


def parse_objects(device, rows):
    ragged = np.empty(len(rows), dtype=object)
    ragged[:] = rows
    stream = io.BytesIO()
    np.savez(stream, ragged=ragged)
    with pytest.raises(InputError) as refused:
        understand_bytes(stream.getvalue())
    return {"refusal": str(refused.value)}


def rope_rotate(device, x, position, base, layout):
    turned = rotary.turns([position], rotary.frequencies(len(x), base))
    return rotary.rotate(operand([x], device), turned, layout)[0]


ADAPTERS = {
    "attention": attention,
    "masked_softmax": softmax,
    "padding_weights": padding_weights,
    "causal_keep": lambda device, **sizes: causal(**sizes, device=device),
    "sinusoidal_pe": lambda device, positions, **how: encode(operand(positions, device), **how),
    "attention_scale": lambda device, **sizes: attention_scale(**sizes),
    "weights_from_dots": weights_from_dots,
    "display_weights": display_weights,
    "head_summary": lambda device, weights: asdict(head_summary(operand(weights, device))),
    "parse_matrix": parse_matrix,
    "parse_objects": parse_objects,
    "rope_rotate": rope_rotate,
    "rope_inv_freq": lambda device, d_model, n_heads, base: rotary.frequencies(d_model // n_heads, base),
    "alibi_slopes": lambda device, n_heads: alibi.slopes(n_heads),
    "shaw_index": lambda device, **sizes: shaw.index(**sizes),
    "shaw_table_rows": lambda device, k: shaw.table_rows(k),
    "row_entropy": lambda device, weights: row_entropy(operand(weights, device)),
    "split_heads": lambda device, x, n_heads: split(operand(x, device), n_heads),
    "merge_heads": lambda device, heads: merge(operand(heads, device)),
    "attention_flops": lambda device, **sizes: dict(zip(("flops", "macs"), attention_flops(**sizes), strict=True)),
}


def operand(numbers, device, dtype=None):
    if numbers is None or isinstance(numbers, torch.Tensor):
        return numbers
    return torch.tensor(numbers, device=device, dtype=getattr(torch, dtype) if dtype else None)


def close(got, expected, tol):
    if isinstance(expected, dict):
        return all(close(got[name], values, tol) for name, values in expected.items())
    if expected is None or got is None:
        return got is expected
    if isinstance(expected, str):
        return expected in got
    if isinstance(expected, list) and expected and isinstance(expected[0], str):
        return list(got) == expected
    got, expected = torch.as_tensor(got).cpu().double(), torch.tensor(expected, dtype=torch.float64)
    return got.shape == expected.shape and torch.allclose(got, expected, rtol=0, atol=tol)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case, device):
    got = ADAPTERS[case["op"]](device, **case["inputs"])
    assert close(got, case["expected"], case["tol"])


def test_comparison_can_fail():
    assert not close({"weights": torch.tensor([0.5, 0.5])}, {"weights": [0.5, 0.4]}, 1e-5)
    assert not close(torch.tensor([[0.5, 0.5]]), [0.5, 0.5], 1e-5)
    assert not close(torch.tensor([float("nan")]), [0.0], 1e-5)
    assert not close({"rows": ("q0",)}, {"rows": None}, 1e-5)
    assert not close({"rows": ("q0",)}, {"rows": ["q1"]}, 1e-5)
