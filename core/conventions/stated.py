"""What documentation and source texts state about conventions: who follows which, and where it says so.

What torch itself can be asked within milliseconds does not stand here: the snippets in ``snippets/conventions`` ask it.
Each row is what its ``source`` says; what could not be made sure of is left out. Where a family of libraries has no
part in a convention, a row says so in the place of a variant, with a reason. The tests hold the rows on ONNX and on
torch's slower modules against torch itself, and see to it that no family is missing anywhere.
"""

from dataclasses import dataclass

TORCH_BIAS = "https://docs.pytorch.org/docs/stable/generated/torch.nn.attention.bias.CausalBias.html"
TORCH_ENCODER = "https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html"
TORCH_NN = "https://docs.pytorch.org/docs/stable/nn.html"
TRANSFORMERS_MASK = "https://huggingface.co/docs/transformers/glossary#attention-mask"
JAX = "https://docs.jax.dev/en/latest/_autosummary/jax.nn.dot_product_attention.html"
JAX_NN = "https://docs.jax.dev/en/latest/jax.nn.html"
JAX_ARRAY = "https://docs.jax.dev/en/latest/_autosummary/jax.Array.html"
JAX_SOURCE = "https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py"
FLAX = "https://flax.readthedocs.io/en/latest/api_reference/flax.linen/layers.html"
FLAX_SOURCE = "https://github.com/google/flax/blob/main/flax/linen/attention.py"
FLAX_WMT = "https://github.com/google/flax/blob/main/examples/wmt/models.py"
FLAX_GEMMA = "https://github.com/google/flax/blob/main/examples/gemma/positional_embeddings.py"
FLAX_LM1B = "https://github.com/google/flax/blob/main/examples/lm1b/models.py"
ONNX = "https://onnx.ai/onnx/operators/onnx__Attention.html"
ONNX_REFERENCE = "https://github.com/onnx/onnx/blob/main/onnx/reference/ops/op_attention.py"
ONNX_NORM = "https://onnx.ai/onnx/operators/onnx__LayerNormalization.html"
ONNX_ALL = "https://onnx.ai/onnx/operators/index.html"
ONNX_FILES = "https://github.com/onnx/onnx/blob/main/docs/ExternalData.md"
ONNX_ROPE = "https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html"
FLASH = "https://github.com/Dao-AILab/flash-attention/blob/main/README.md"
FLASH_CALLS = "https://github.com/Dao-AILab/flash-attention/blob/main/flash_attn/flash_attn_interface.py"
FLASH_PADDING = "https://github.com/Dao-AILab/flash-attention/blob/main/flash_attn/bert_padding.py"
FLASH_BLOCK = "https://github.com/Dao-AILab/flash-attention/blob/main/flash_attn/modules/block.py"
FLASH_BENCHMARK = "https://github.com/Dao-AILab/flash-attention/blob/main/benchmarks/benchmark_flash_attention.py"
PAPER = "https://arxiv.org/abs/1706.03762"
FAIRSEQ = "https://github.com/facebookresearch/fairseq/blob/main/fairseq/modules/sinusoidal_positional_embedding.py"
LLAMA = "https://github.com/facebookresearch/llama/blob/main/llama/model.py"
TRANSFORMERS = "https://github.com/huggingface/transformers/issues/25199"
FVCORE = "https://github.com/facebookresearch/fvcore/blob/main/fvcore/nn/flop_count.py"
XLA = "https://github.com/openxla/xla/blob/main/xla/service/hlo_cost_analysis.h"
TORCH_MEMORY = "https://github.com/pytorch/pytorch/blob/main/torch/cuda/memory.py"
FORMAL = "https://arxiv.org/abs/2207.09238"


@dataclass(frozen=True)
class Stated:
    """``call`` follows ``variant`` of its convention, as ``source`` says.

    Where it follows none, ``variant`` is one of ``ABSENT`` and ``reason`` names why, by the id of a label.
    """

    call: str
    variant: str
    source: str
    reason: str = ""


TAKES_NONE, HAS_NONE, CALLER = ABSENT = ("takes_none", "has_none", "caller")
"""In the place of a variant: the call takes no such argument, has no such thing, or leaves it to its caller."""

FAMILIES = {
    "PyTorch": ("torch", "F.", "nn."),
    "JAX, Flax": ("jax", "flax"),
    "ONNX": ("ONNX",),
    "FlashAttention": ("flash_attn", "flash-attention"),
}
"""Families of libraries that have a row in every convention, and how their calls begin."""


STATED: dict[str, tuple[Stated, ...]] = {
    "bool_mask": (
        Stated("jax.nn.dot_product_attention(mask=...)", "keep", JAX),
        Stated("flax.linen.dot_product_attention(mask=...)", "keep", FLAX),
        Stated("ONNX Attention(attn_mask)", "keep", ONNX),
        Stated("flash_attn_func(q, k, v)", TAKES_NONE, FLASH_CALLS, "flash_mask"),
    ),
    "padding_mask": (
        Stated("torch.nn.TransformerEncoderLayer(...)(src_key_padding_mask=...)", "hide", TORCH_ENCODER),
        Stated("transformers: model(attention_mask=...)", "keep", TRANSFORMERS_MASK),
        Stated("flax/examples/wmt: nn.make_attention_mask(inputs > 0, inputs > 0)", "keep", FLAX_WMT),
        Stated("jax.nn.dot_product_attention(key_value_seq_lengths=...)", TAKES_NONE, JAX, "lengths"),
        Stated("ONNX Attention(nonpad_kv_seqlen)", TAKES_NONE, ONNX, "lengths"),
        Stated("flash_attn_varlen_func(cu_seqlens_k=...)", TAKES_NONE, FLASH_CALLS, "lengths"),
        Stated("flash_attn.bert_padding.unpad_input(x, attention_mask)", "keep", FLASH_PADDING),
    ),
    "float_mask": (
        Stated("jax.nn.dot_product_attention(bias=...)", "added", JAX),
        Stated("flax.linen.dot_product_attention(bias=...)", "added", FLAX),
        Stated("flax.linen.dot_product_attention(mask=...)", "truth", FLAX_SOURCE),
        Stated("ONNX Attention(attn_mask)", "added", ONNX),
        Stated("flash_attn_func(q, k, v)", TAKES_NONE, FLASH_CALLS, "flash_bias"),
    ),
    "causal_corner": (
        Stated("torch.nn.attention.bias.causal_lower_right", "lower_right", TORCH_BIAS),
        Stated("jax.nn.dot_product_attention(is_causal=True)", "upper_left", JAX_SOURCE),
        Stated("ONNX Attention(is_causal=1)", "upper_left", ONNX),
        Stated("ONNX Attention(is_causal=1, past_key)", "lower_right", ONNX_REFERENCE),
        Stated("flash_attn_func(causal=True), 2.1 and later", "lower_right", FLASH),
        Stated("flash_attn_func(causal=True), 2.0", "upper_left", FLASH),
    ),
    "empty_row": (
        Stated("flash_attn_with_kvcache(causal=True)", "zero", FLASH),
        Stated("jax.nn.dot_product_attention(mask=...)", "mean", JAX_SOURCE),
        Stated("flax.linen.dot_product_attention(mask=...)", "mean", FLAX_SOURCE),
        Stated("ONNX Attention(attn_mask), reference", "undefined", ONNX_REFERENCE),
    ),
    "rows": (
        Stated("jax.nn.dot_product_attention(query, key, value)", "rows", JAX),
        Stated("flax.linen.dot_product_attention(query, key, value)", "rows", FLAX),
        Stated("ONNX Attention(Q, K, V)", "rows", ONNX),
        Stated("flash_attn_func(q, k, v)", "rows", FLASH),
        Stated("Vaswani et al. 2017", "rows", PAPER),
        Stated("Phuong, Hutter 2022", "columns", FORMAL),
    ),
    "batch_first": (
        Stated("jax.nn.dot_product_attention(query, key, value)", "batch_first", JAX),
        Stated("flax.linen.dot_product_attention(query, key, value)", "batch_first", FLAX),
        Stated("ONNX Attention(Q, K, V)", "batch_first", ONNX),
        Stated("flash_attn_func(q, k, v)", "batch_first", FLASH),
    ),
    "grouped_heads": (
        Stated("jax.nn.dot_product_attention(query, key, value)", "consecutive", JAX_SOURCE),
        Stated("ONNX Attention(Q, K, V)", "consecutive", ONNX_REFERENCE),
        Stated("flash_attn_func(q, k, v)", "consecutive", FLASH),
    ),
    "rope_layout": (
        Stated("ONNX RotaryEmbedding(interleaved=0)", "half", ONNX_ROPE),
        Stated("flash_attn_with_kvcache(rotary_interleaved=True)", "interleaved", FLASH),
        Stated("flash_attn_with_kvcache(rotary_interleaved=False)", "half", FLASH),
        Stated("torch.nn", HAS_NONE, TORCH_NN, "by_hand"),
        Stated("jax.nn", HAS_NONE, JAX_NN, "by_hand"),
        Stated("flax/examples/gemma: apply_rope", "half", FLAX_GEMMA),
        Stated("facebookresearch/llama: apply_rotary_emb", "interleaved", LLAMA),
        Stated("transformers, Llama: apply_rotary_pos_emb", "half", TRANSFORMERS),
    ),
    "sine_layout": (
        Stated("Vaswani et al. 2017", "interleaved", PAPER),
        Stated("flax/examples/lm1b: sinusoidal_init", "concat", FLAX_LM1B),
        Stated("fairseq: SinusoidalPositionalEmbedding", "concat", FAIRSEQ),
        Stated("torch.nn", HAS_NONE, TORCH_NN, "by_hand"),
        Stated("ONNX operators", HAS_NONE, ONNX_ALL, "single_operators"),
        Stated("flash_attn_func(q, k, v)", HAS_NONE, FLASH_CALLS, "before_it"),
    ),
    "sine_exponent": (
        Stated("Vaswani et al. 2017", "paper", PAPER),
        Stated("flax/examples/lm1b: sinusoidal_init", "half_minus_one", FLAX_LM1B),
        Stated("fairseq: SinusoidalPositionalEmbedding", "half_minus_one", FAIRSEQ),
        Stated("torch.nn", HAS_NONE, TORCH_NN, "by_hand"),
        Stated("ONNX operators", HAS_NONE, ONNX_ALL, "single_operators"),
        Stated("flash_attn_func(q, k, v)", HAS_NONE, FLASH_CALLS, "before_it"),
    ),
    "root": (
        Stated("jax.nn.dot_product_attention(scale=None)", "d_head", JAX),
        Stated("flax.linen.dot_product_attention(query, key, value)", "d_head", FLAX_SOURCE),
        Stated("ONNX Attention(scale)", "d_head", ONNX),
        Stated("flash_attn_func(softmax_scale=None)", "d_head", FLASH),
        Stated("Vaswani et al. 2017", "d_head", PAPER),
    ),
    "norm": (
        Stated("Vaswani et al. 2017", "post", PAPER),
        Stated("flax/examples/lm1b: EncoderDecoder1DBlock", "pre", FLAX_LM1B),
        Stated("ONNX LayerNormalization", CALLER, ONNX_NORM, "no_block"),
        Stated("flash_attn_func(q, k, v)", HAS_NONE, FLASH_CALLS, "no_block"),
        Stated("flash_attn.modules.block.Block(prenorm=True)", "pre", FLASH_BLOCK),
        Stated("flash_attn.modules.block.Block(prenorm=False)", "post", FLASH_BLOCK),
    ),
    "flop_or_mac": (
        Stated("jax.jit(f).lower(x).compile().cost_analysis(), XLA HloCostAnalysis", "flop", XLA),
        Stated("ONNX operators", HAS_NONE, ONNX_ALL, "no_counter"),
        Stated("flash_attn_func(q, k, v)", HAS_NONE, FLASH_CALLS, "no_counter"),
        Stated("flash-attention/benchmarks: flops", "flop", FLASH_BENCHMARK),
        Stated("fvcore.nn.FlopCountAnalysis", "mac", FVCORE),
    ),
    "bytes": (
        Stated("torch.cuda.memory_summary()", "binary", TORCH_MEMORY),
        Stated("jax.Array.nbytes", CALLER, JAX_ARRAY, "plain_bytes"),
        Stated("ONNX external data: length", CALLER, ONNX_FILES, "plain_bytes"),
        Stated("flash_attn_func(q, k, v)", HAS_NONE, FLASH_CALLS, "no_sizes"),
    ),
}
