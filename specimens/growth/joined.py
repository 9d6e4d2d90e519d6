"""A text from pieces."""
import random
import sys

n = int(sys.argv[1])
random.seed(1)
text = "".join(str(i) for i in range(n))
words = text.split("9")
