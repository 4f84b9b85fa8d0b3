"""Where textbooks, papers and libraries differ: the variants in numbers, who uses which, and a test that tells them."""
