scores = [1.5, 0.00390625]
shown = [f"{score:.6g}" for score in scores]
print(shown)
