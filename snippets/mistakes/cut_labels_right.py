tokens = [
    "counter-revolutionary-movement-of-1848",
    "counter-revolutionary-movement-of-1917",
    "attention",
]
labels = [
    f"{i} {t if len(t) <= 12 else t[:6] + '…' + t[-5:]}"
    for i, t in enumerate(tokens)
]
print(labels)
