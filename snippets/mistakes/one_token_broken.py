text = "我爱注意力"
tokens = text.split()
print(tokens)
