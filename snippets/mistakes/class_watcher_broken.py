import torch

modules = {
    "torch": torch,
    "torch.classes": torch.classes,
}
paths = {
    name: list(module.__path__._path)
    for name, module in modules.items()
    if name != "torch"
}
print(paths)
