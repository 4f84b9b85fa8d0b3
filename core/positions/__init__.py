"""Position encodings and what their products do and do not say about distance."""
