import io

import numpy as np

rows = [[1.0, 2.0], [3.0]]
lengths = np.array([len(row) for row in rows])
padded = np.array(
    [
        row + [0.0] * (max(lengths) - len(row))
        for row in rows
    ]
)
file = io.BytesIO()
np.savez(file, scores=padded, lengths=lengths)

file.seek(0)
scores = np.load(file)["scores"]
print(scores)
