"""The pairs turn at other speeds: what the base and the exponent make."""


def base_1000(exponent):
    """The base is 1000

    The first pair fits, the others turn too fast. The base of the power is 10000; it is worth
    counting its zeros.

    Hint: 4
    """
    return 1000.0**exponent


def inverted_frequency(exponent):
    """Multiplies where it should divide

    The later pairs turn faster instead of slower. Positions are multiplied by the power of 10000;
    the last pair should be the slowest hand of the clock.

    Hint: 4
    """
    return 1 / slowness(exponent)


def precedence(exponent):
    """The power takes less than the whole exponent

    The power stops before the whole exponent is taken in. Python raises to a power before it
    multiplies or divides, so `10000 ** 2 * i / d_model` squares 10000 and then scales. Which
    parentheses does the formula need?

    Hint: 4
    """
    return 10000.0**2 / (exponent / 2)
