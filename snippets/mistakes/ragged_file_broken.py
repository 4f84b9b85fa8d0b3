import io

import numpy as np

rows = np.array([[1.0, 2.0], [3.0]], dtype=object)
file = io.BytesIO()
np.savez(file, scores=rows)

file.seek(0)
scores = np.load(file)["scores"]
print(scores)
