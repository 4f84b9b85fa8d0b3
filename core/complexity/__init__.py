"""Recurrent layers against attention: operations, memory, paths and measured times."""
