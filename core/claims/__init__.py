"""What the lecture notes state, and the code that recomputes it."""
