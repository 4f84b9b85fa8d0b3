"""Why scores are divided by √d_k: the law of q·k, draws of it, and what it does to a softmax."""
