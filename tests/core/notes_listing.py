"""The notes' verification listing, its modules and its draws in its own order, printing what is compared as JSON.

Run by a test as a program of its own: it seeds and uses torch's global generator.
"""

LISTING = r"""
import json
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None, dropout=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attn_weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        attn_weights = dropout(attn_weights)
    return torch.matmul(attn_weights, V), attn_weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model=512, n_heads=8, dropout=0.1):
        super().__init__()
        assert d_model % n_heads == 0
        self.d_model, self.n_heads, self.d_k = d_model, n_heads, d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        batch_size = query.size(0)
        Q = self.W_q(query).view(batch_size, -1, self.n_heads, self.d_k).transpose(1, 2)
        K = self.W_k(key).view(batch_size, -1, self.n_heads, self.d_k).transpose(1, 2)
        V = self.W_v(value).view(batch_size, -1, self.n_heads, self.d_k).transpose(1, 2)
        attn_output, attn_weights = scaled_dot_product_attention(Q, K, V, mask, self.dropout)
        attn_output = attn_output.transpose(1, 2).contiguous().view(batch_size, -1, self.d_model)
        return self.W_o(attn_output), attn_weights


class SelfAttentionBlock(nn.Module):
    def __init__(self, d_model=512, n_heads=8, d_ff=2048, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.ff = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model), nn.Dropout(dropout)
        )

    def forward(self, x, mask=None):
        attn_output, attn_weights = self.attention(x, x, x, mask)
        x = self.norm1(x + attn_output)
        return self.norm2(x + self.ff(x)), attn_weights


torch.manual_seed(42)
d_model, n_heads, seq_len, batch_size = 64, 4, 10, 2
Q = torch.randn(batch_size, n_heads, seq_len, d_model // n_heads)
K = torch.randn(batch_size, n_heads, seq_len, d_model // n_heads)
V = torch.randn(batch_size, n_heads, seq_len, d_model // n_heads)
output, weights = scaled_dot_product_attention(Q, K, V)
causal_mask = torch.tril(torch.ones(seq_len, seq_len)).unsqueeze(0).unsqueeze(0)
output_masked, weights_masked = scaled_dot_product_attention(Q, K, V, mask=causal_mask)
mha = MultiHeadAttention(d_model=d_model, n_heads=n_heads)
x = torch.randn(batch_size, seq_len, d_model)
mha_output, mha_weights = mha(x, x, x)
block = SelfAttentionBlock(d_model=d_model, n_heads=n_heads, d_ff=256)
block_output, block_weights = block(x)
block.eval()
print(
    json.dumps(
        {
            "row_sum": f"{weights[0, 0, 0, :].sum().item():.6f}",
            "row_0": str(weights_masked[0, 0, 0, :].tolist()),
            "row_5": str([f"{w:.3f}" for w in weights_masked[0, 0, 5, :]]),
            "masked": weights_masked.tolist(),
            "module": sum(p.numel() for p in mha.parameters()),
            "block": sum(p.numel() for p in block.parameters()),
            "mask_shape": list(causal_mask.shape),
            "module_shapes": [list(x.shape), list(mha_output.shape), list(mha_weights.shape)],
            "block_shapes": [list(x.shape), list(block_output.shape)],
            "dropped": block_weights[0, 0].tolist(),
            "kept": block(x)[1][0, 0].tolist(),
        }
    )
)
"""
