"""Faults that people really hit with attention, each as a small input and the right answer.

Plain data: ``op`` names what is asked, ``inputs`` are its arguments, ``expected`` was worked out at high precision
independently of this project, ``tol`` is the absolute tolerance.
"""

CASES = [
    {
        "name": "a query that may look at no key has zero weights and output",
        "op": "attention",
        "inputs": {
            "q": [[1, 0], [0, 2], [1, -1]],
            "k": [[1, 1], [0, 1], [-1, 0], [2, 0]],
            "v": [[1, 0], [0, 1], [2, 2], [-1, 3]],
            "keep": [[True, True, True, True], [True, False, True, True], [False, False, False, False]],
        },
        "expected": {
            "weights": [
                [0.265653612027, 0.130985478846, 0.0645848386466, 0.53877607048],
                [0.672841798376, 0.0, 0.163579100812, 0.163579100812],
                [0.0, 0.0, 0.0, 0.0],
            ],
            "output": [[-0.14395278116, 1.87648336758], [0.836420899188, 0.81789550406], [0.0, 0.0]],
            "empty_rows": [2],
        },
        "tol": 1e-5,
    },
    {
        "name": "a causal mask and left padding together empty the first rows",
        "op": "masked_softmax",
        "inputs": {
            "scores": [[0.0] * 4] * 4,
            "keep": [
                [False, False, False, False],
                [False, False, False, False],
                [False, False, True, False],
                [False, False, True, True],
            ],
        },
        "expected": {
            "weights": [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.5, 0.5]],
            "empty_rows": [0, 1],
        },
        "tol": 1e-5,
    },
    {
        "name": "half-precision scores can be masked",
        "op": "masked_softmax",
        "inputs": {"scores": [[2.0, 1.0, 3.0]], "keep": [[True, True, False]], "dtype": "float16"},
        "expected": {"weights": [[0.73105857863, 0.26894142137, 0.0]], "empty_rows": []},
        "tol": 2e-3,
    },
    {
        "name": "half-precision dot products beyond 65504 do not overflow",
        "op": "attention",
        "inputs": {"q": [[40.0] * 64], "k": [[40.0] * 64, [39.5] * 64], "v": [[1.0], [0.0]], "dtype": "float16"},
        "expected": {"weights": [[1.0, 0.0]], "output": [[1.0]], "empty_rows": []},
        "tol": 2e-3,
    },
    {
        "name": "a mask whose True means blocked",
        "op": "masked_softmax",
        "inputs": {
            "scores": [[0.4, 1.2, -0.3], [0.0, 0.7, 2.0], [-1.0, 0.5, 0.1]],
            "blocked": [[False, True, True], [False, False, True], [False, False, False]],
        },
        "expected": {
            "weights": [
                [1.0, 0.0, 0.0],
                [0.331812227832, 0.668187772168, 0.0],
                [0.117843162403, 0.528136412953, 0.354020424644],
            ],
            "empty_rows": [],
        },
        "tol": 1e-5,
    },
    {
        "name": "a mask whose True means keep",
        "op": "masked_softmax",
        "inputs": {
            "scores": [[0.4, 1.2, -0.3], [0.0, 0.7, 2.0], [-1.0, 0.5, 0.1]],
            "keep": [[True, False, False], [True, True, False], [True, True, True]],
        },
        "expected": {
            "weights": [
                [1.0, 0.0, 0.0],
                [0.331812227832, 0.668187772168, 0.0],
                [0.117843162403, 0.528136412953, 0.354020424644],
            ],
            "empty_rows": [],
        },
        "tol": 1e-5,
    },
    {
        "name": "padding hides keys, and padded queries keep their row",
        "op": "padding_weights",
        "inputs": {"keep_tokens": [[True, True, False, False]]},
        "expected": [[[0.5, 0.5, 0.0, 0.0]] * 4],
        "tol": 1e-5,
    },
    {
        "name": "padding of a batch as large as the sequence is long",
        "op": "padding_weights",
        "inputs": {"keep_tokens": [[True, True, True], [True, True, False], [True, False, False]]},
        "expected": [
            [[0.333333333333, 0.333333333333, 0.333333333333]] * 3,
            [[0.5, 0.5, 0.0]] * 3,
            [[1.0, 0.0, 0.0]] * 3,
        ],
        "tol": 1e-5,
    },
    {
        "name": "causal 3 × 7, lower right",
        "op": "causal_keep",
        "inputs": {"n_q": 3, "n_k": 7, "align": "lower_right"},
        "expected": [[1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 1]],
        "tol": 0,
    },
    {
        "name": "causal 3 × 7, upper left",
        "op": "causal_keep",
        "inputs": {"n_q": 3, "n_k": 7, "align": "upper_left"},
        "expected": [[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]],
        "tol": 0,
    },
    {
        "name": "causal 6 × 4, lower right",
        "op": "causal_keep",
        "inputs": {"n_q": 6, "n_k": 4, "align": "lower_right"},
        "expected": [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]],
        "tol": 0,
    },
    {
        "name": "causal 6 × 4, upper left",
        "op": "causal_keep",
        "inputs": {"n_q": 6, "n_k": 4, "align": "upper_left"},
        "expected": [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]],
        "tol": 0,
    },
    {
        "name": "causal 1 × 9, lower right",
        "op": "causal_keep",
        "inputs": {"n_q": 1, "n_k": 9, "align": "lower_right"},
        "expected": [[1] * 9],
        "tol": 0,
    },
    {
        "name": "causal 1 × 9, upper left",
        "op": "causal_keep",
        "inputs": {"n_q": 1, "n_k": 9, "align": "upper_left"},
        "expected": [[1, 0, 0, 0, 0, 0, 0, 0, 0]],
        "tol": 0,
    },
    {
        "name": "causal 4 × 4, lower right",
        "op": "causal_keep",
        "inputs": {"n_q": 4, "n_k": 4, "align": "lower_right"},
        "expected": [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]],
        "tol": 0,
    },
    {
        "name": "causal 4 × 4, upper left",
        "op": "causal_keep",
        "inputs": {"n_q": 4, "n_k": 4, "align": "upper_left"},
        "expected": [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]],
        "tol": 0,
    },
    {
        "name": "an odd width ends with a sine",
        "op": "sinusoidal_pe",
        "inputs": {"positions": [0, 3], "d_model": 5, "layout": "interleaved"},
        "expected": [
            [0.0, 1.0, 0.0, 1.0, 0.0],
            [0.14112000806, -0.9899924966, 0.0752852929989, 0.997162035307, 0.00189287090309],
        ],
        "tol": 1e-5,
    },
    {
        "name": "interleaved layout",
        "op": "sinusoidal_pe",
        "inputs": {"positions": [2], "d_model": 4, "layout": "interleaved"},
        "expected": [[0.909297426826, -0.416146836547, 0.0199986666933, 0.999800006667]],
        "tol": 1e-5,
    },
    {
        "name": "concatenated layout",
        "op": "sinusoidal_pe",
        "inputs": {"positions": [2], "d_model": 4, "layout": "concat"},
        "expected": [[0.909297426826, 0.0199986666933, -0.416146836547, 0.999800006667]],
        "tol": 1e-5,
    },
    {
        "name": "the variant that divides by half a width less one",
        "op": "sinusoidal_pe",
        "inputs": {"positions": [2], "d_model": 4, "layout": "concat", "convention": "half_minus_one"},
        "expected": [[0.90930, 0.00020, -0.41615, 1.0]],
        "tol": 1e-5,
    },
    {
        "name": "the scale comes from the width of a head",
        "op": "attention_scale",
        "inputs": {"d_model": 48, "n_heads": 3},
        "expected": 0.25,
        "tol": 1e-7,
    },
    {
        "name": "weights from raw dot products of one head",
        "op": "weights_from_dots",
        "inputs": {"dots": [[8.0, 4.0]], "d_model": 48, "n_heads": 3},
        "expected": [[0.73105857863, 0.26894142137]],
        "tol": 1e-5,
    },
    {
        "name": "softmax runs along the keys",
        "op": "masked_softmax",
        "inputs": {"scores": [[1.0, 0.0, -1.0], [0.0, 2.0, 0.5]]},
        "expected": {
            "weights": [
                [0.665240955775, 0.244728471055, 0.0900305731704],
                [0.0996236480623, 0.736124724313, 0.164251627625],
            ],
            "empty_rows": [],
        },
        "tol": 1e-5,
    },
    {
        "name": "integer scores are computed in floating point",
        "op": "masked_softmax",
        "inputs": {"scores": [[1, 2], [3, 3]]},
        "expected": {"weights": [[0.26894142137, 0.73105857863], [0.5, 0.5]], "empty_rows": []},
        "tol": 1e-5,
    },
    {
        "name": "the shown weights are those without dropout",
        "op": "display_weights",
        "inputs": {"weights": [0.5, 0.3, 0.2], "dropout": 0.2},
        "expected": [0.5, 0.3, 0.2],
        "tol": 1e-5,
    },
    {
        "name": "the mean of two sharp heads is not sharp",
        "op": "head_summary",
        "inputs": {"weights": [[[1.0, 0.0]], [[0.0, 1.0]]]},
        "expected": {
            "mean": [[0.5, 0.5]],
            "entropy_per_head": [[0.0], [0.0]],
            "entropy_of_mean": [0.69314718056],
        },
        "tol": 1e-5,
    },
    {
        "name": "the entropy of a row with zeros",
        "op": "row_entropy",
        "inputs": {"weights": [0.5, 0.5, 0.0, 0.0]},
        "expected": 0.69314718056,
        "tol": 1e-5,
    },
    {
        "name": "the shown weights rebuild the output",
        "op": "attention",
        "inputs": {
            "q": [[0.2, -1.0, 0.5], [1.0, 0.4, 0.0]],
            "k": [[1.0, 0.0, 0.3], [-0.5, 0.8, 1.0], [0.0, -1.0, 0.2]],
            "v": [[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]],
        },
        "expected": {
            "weights": [
                [0.313435599438, 0.203279364472, 0.48328503609],
                [0.512402294039, 0.259261376738, 0.228336329223],
            ],
            "output": [[-0.169849436652, 0.889843765034], [0.284065964816, 0.746859082699]],
            "empty_rows": [],
        },
        "tol": 1e-5,
    },
    {
        "name": "a byte-order mark, semicolons and decimal commas",
        "op": "parse_matrix",
        "inputs": {"data": "\ufeff;k0;k1\r\nq0;0,5;0,25\r\nq1;-1,5;2\r\n"},
        "expected": {"matrix": [[0.5, 0.25], [-1.5, 2.0]], "rows": ["q0", "q1"], "columns": ["k0", "k1"]},
        "tol": 1e-5,
    },
    {
        "name": "a table without labels loses no row",
        "op": "parse_matrix",
        "inputs": {"data": "0.1,0.2\n0.3,0.4\n0.5,0.6\n"},
        "expected": {"matrix": [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], "rows": None, "columns": None},
        "tol": 1e-5,
    },
    {
        "name": "cells parted by tabs",
        "op": "parse_matrix",
        "inputs": {"data": "1\t2\n3\t4\n"},
        "expected": {"matrix": [[1.0, 2.0], [3.0, 4.0]], "rows": None, "columns": None},
        "tol": 1e-5,
    },
    {
        "name": "an archive of ragged objects is refused",
        "op": "parse_objects",
        "inputs": {"rows": [[1, 2], [3]]},
        "expected": {"refusal": "pickle"},
        "tol": 0,
    },
]
