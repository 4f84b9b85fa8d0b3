"""The tables of complexity and of path length, by integer arithmetic."""

from fractions import Fraction

from tests.core.known import Known


def row(rnn: int, attention: int, memory: int, whole: tuple[int, int, int, int]) -> dict[str, tuple[int, int]]:
    """One row as it stands, and the whole layers': RNN, GRU, LSTM, attention."""
    names = ("rnn", "attention", "memory", "whole_rnn", "whole_gru", "whole_lstm", "whole_attention")
    return {name: (value, 0) for name, value in zip(names, (rnn, attention, memory, *whole), strict=True)}


KNOWN = {
    "003-080": Known("imprecise", {"rnn": (2, 0), "gru": (6, 0), "lstm": (8, 0)}),
    "003-081": Known(
        "imprecise",
        {
            "said": (1_048_576, 0),
            "multiply_adds": (4_194_304, 0),
            "flops": (8_388_608, 0),
            "share": (1 / (2 + 4 * Fraction(64, 128)), 0),
        },
    ),
    "003-082": Known("imprecise", {"right": (800, 0), "said": (100, 0)}),
    "003-083": Known("correct", row(131_072, 65_536, 1_024, (262_144, 786_432, 1_048_576, 655_360))),
    "003-084": Known("correct", row(262_144, 262_144, 4_096, (524_288, 1_572_864, 2_097_152, 1_572_864))),
    "003-085": Known("correct", row(524_288, 1_048_576, 16_384, (1_048_576, 3_145_728, 4_194_304, 4_194_304))),
    "003-086": Known("correct", row(1_048_576, 4_194_304, 65_536, (2_097_152, 6_291_456, 8_388_608, 12_582_912))),
    "003-087": Known("correct", row(2_097_152, 16_777_216, 262_144, (4_194_304, 12_582_912, 16_777_216, 41_943_040))),
    "003-088": Known(
        "only_if", row(4_194_304, 67_108_864, 1_048_576, (8_388_608, 25_165_824, 33_554_432, 150_994_944))
    ),
    "003-089": Known("correct", {"rnn": ((1, 5, 10, 50, 100, 500), 0), "attention": ((1,) * 6, 0)}),
    "003-090": Known("wrong", {"ratio": (2, 0), "whole_rnn": (4, 0), "whole_lstm": (1, 0)}),
    "003-091": Known("imprecise", {"equal": (64, 0), "lstm": (128, 0)}),
}
