"""How much memory the keys and values of earlier tokens take while a decoder writes.

    bytes = 2 · layers · n_kv_heads · d_head · n · batch · bytes a number        (2: one key and one value)

Query heads do not enter: only what is kept counts. 1 MiB is 2²⁰ bytes, 1 MB is 10⁶.
Source: Shazeer 2019; Ainslie et al. 2023.
"""

from dataclasses import dataclass

from core.attention.heads import head_map
from core.errors import require_range

MIB, MB = 2**20, 10**6
LIMITS = {"layers": 1000, "n_heads": 1024, "n_kv_heads": 1024, "d_head": 4096}
MOST_TOKENS, MOST_BATCH, WIDEST = 10_000_000, 100_000, 8


@dataclass(frozen=True)
class Decoder:
    """What of a model decides its cache; ``n_heads`` only says how many query heads share."""

    layers: int
    n_heads: int
    n_kv_heads: int
    d_head: int


PRESETS = {
    "gpt2_small": Decoder(12, 12, 12, 64),
    "falcon_7b": Decoder(32, 71, 1, 64),
    "llama2_7b": Decoder(32, 32, 32, 128),
    "llama2_70b": Decoder(80, 64, 8, 128),
    "llama3_8b": Decoder(32, 32, 8, 128),
}
"""Sources: Radford et al. 2019; Almazrouei et al. 2023; Touvron et al. 2023; Meta 2024."""


def require_decoder(decoder: Decoder) -> None:
    """Refuse sizes out of bounds, and key-value heads that do not divide the heads.

    Raises ``InputError`` ("range", "shared").
    """
    for name, limit in LIMITS.items():
        require_range(name, getattr(decoder, name), 1, limit)
    head_map(decoder.n_heads, decoder.n_kv_heads)


def cache_bytes(decoder: Decoder, n: int, batch: int = 1, bytes_each: int = 2) -> int:
    """Bytes of the keys and values of n tokens of ``batch`` sequences, at ``bytes_each`` a number.

    Raises ``InputError`` ("range", "shared").  Source: module docstring.
    """
    require_decoder(decoder)
    require_range("n", n, 1, MOST_TOKENS)
    require_range("batch", batch, 1, MOST_BATCH)
    require_range("bytes_each", bytes_each, 1, WIDEST)
    return 2 * decoder.layers * decoder.n_kv_heads * decoder.d_head * n * batch * bytes_each
