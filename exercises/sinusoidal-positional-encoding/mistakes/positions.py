"""Wrong positions: rows that start or end elsewhere."""


def starts_at_one(seq_len):
    """Positions start at 1

    The rows are shifted by one. Row 0 should be the encoding of position 0, that is 0, 1, 0, 1
    and so on.

    Hint: 1
    """
    return positions(seq_len) + 1


def table_of_5000(seq_len):
    """Cuts a table of 5000 positions

    Up to 5000 positions everything is right, after that rows are missing. The table has a fixed
    length, as in code that prepares it once. Here `seq_len` says how long it is.

    Hint: 3
    """
    return positions(5000)[:seq_len]
