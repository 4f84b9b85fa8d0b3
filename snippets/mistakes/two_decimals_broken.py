scores = [1.5, 0.00390625]
shown = [f"{score:.2f}" for score in scores]
print(shown)
