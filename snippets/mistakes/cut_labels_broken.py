tokens = [
    "counter-revolutionary-movement-of-1848",
    "counter-revolutionary-movement-of-1917",
    "attention",
]
labels = [token[:14] for token in tokens]
print(labels)
