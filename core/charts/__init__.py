"""Charts: a long frame and words in, an Altair chart out. Nothing here depends on the numbers drawn."""
