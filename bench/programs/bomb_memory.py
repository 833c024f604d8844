# Takes all the memory it can get.
held = []
while True:
    held.append("x" * 10_000_000)
