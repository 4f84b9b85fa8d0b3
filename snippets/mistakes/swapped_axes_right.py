import torch

queries = ["je", "suis"]
keys = ["I", "am", "here"]
weights = torch.tensor(
    [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]]
)

cells = [
    (i, j, weights[i, j])
    for i in range(len(queries))
    for j in range(len(keys))
]
picture = torch.zeros(len(queries), len(keys))
for row, column, weight in cells:
    picture[row, column] = weight
print(picture)
print("row sums:", picture.sum(-1).tolist())
