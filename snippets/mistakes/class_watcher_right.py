import torch

modules = {
    "torch": torch,
    "torch.classes": torch.classes,
}
paths = {
    name: module.__path__
    for name, module in modules.items()
    if isinstance(module.__path__, list)
}
print(list(paths))
