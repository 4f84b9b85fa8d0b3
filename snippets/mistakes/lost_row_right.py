import io

import pandas as pd

text = "0.1,0.2\n0.3,0.4\n0.5,0.6\n"
frame = pd.read_csv(
    io.StringIO(text), header=None
)
read = frame.to_numpy().tolist()
print(read)
