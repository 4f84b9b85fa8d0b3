import torch
from torch.utils.flop_counter import flop_registry

aten = torch.ops.aten
q = torch.ones(8, 96, 32)


def count(op, *operands):  # like FlopCounterMode
    formula = flop_registry.get(op)
    return formula(*operands) if formula else 0


name = "scaled_dot_product_flash_attention"
fused = getattr(aten, f"_{name}_for_cpu")
counts = torch.tensor([[count(fused, q, q, q)]])
print(counts.tolist())
