import re

text = "我爱注意力"
tokens = re.findall(
    r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+", text
)
print(tokens)
