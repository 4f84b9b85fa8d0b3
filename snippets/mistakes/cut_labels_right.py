tokens = [
    "counter-revolutionary-movement-of-1848",
    "counter-revolutionary-movement-of-1917",
    "attention",
]
labels = [
    f"{i} {token[:6]}…{token[-5:]}"
    if len(token) > 12
    else f"{i} {token}"
    for i, token in enumerate(tokens)
]
print(labels)
