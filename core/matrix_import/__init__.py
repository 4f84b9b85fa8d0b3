"""Reading a small matrix out of pasted text or uploaded bytes; what was understood comes with it."""
