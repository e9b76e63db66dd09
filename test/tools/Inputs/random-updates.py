"""random-updates.py VERTICES UPDATES SEED [weighted]: a stream of updates, half
of which concern a few vertices."""

import random
import sys

vertices, updates, seed = (int(word) for word in sys.argv[1:4])
weighted = "weighted" in sys.argv[4:]
chance = random.Random(seed)

for time in range(updates):
    busy = max(1, vertices // 50)
    source = chance.randrange(busy if chance.random() < 0.5 else vertices)
    target = chance.randrange(vertices)
    operator = chance.choice("++-=" if weighted else "++-")
    weight = f" {chance.randrange(1, 256)}" if weighted and operator != "-" else ""
    print(time // 3, operator, source, target, end=f"{weight}\n")
