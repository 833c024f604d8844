def helper(x):
    return x


def other(x):
    return helper(x)
