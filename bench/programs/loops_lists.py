# Multi-head attention over lists of numbers, then one array.
import math

import numpy as np


def softmax(row):
    top = max(row)
    powers = [math.exp(x - top) for x in row]
    total = sum(powers)
    return [x / total for x in powers]


def multi_head_attention(Q, K, V, num_heads):
    q, k, v = Q.tolist(), K.tolist(), V.tolist()
    width = len(q[0]) // num_heads
    rows = []
    for query in q:
        line = []
        for head in range(num_heads):
            low, high = head * width, (head + 1) * width
            scores = []
            for key in k:
                total = 0.0
                for a, b in zip(query[low:high], key[low:high]):
                    total += a * b
                scores.append(total / math.sqrt(width))
            weights = softmax(scores)
            for column in range(low, high):
                line.append(sum(weights[j] * v[j][column] for j in range(len(v))))
        rows.append(line)
    return np.array(rows)
