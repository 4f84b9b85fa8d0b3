"""Faults that people really hit, each as a snippet that fails, the right one, and the law that tells them apart."""
