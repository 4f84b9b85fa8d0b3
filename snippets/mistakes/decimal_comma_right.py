import io

import pandas as pd

text = "\ufeff;k0;k1\nq0;0,5;0,25\nq1;-1,5;2\n"
frame = pd.read_csv(
    io.StringIO(text.lstrip("\ufeff")),
    sep=";",
    decimal=",",
    index_col=0,
)
read = frame.astype(float).to_numpy().tolist()
print(frame)
