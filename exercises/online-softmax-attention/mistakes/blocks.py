"""Wrong blocks: where they begin and end."""
import numpy as np


def drops_tail(n_keys, block_size):
    """The short last block is ignored

    The last keys are never visited when block_size does not divide their number. A whole-number
    division rounds down and forgets them. The last block may be shorter than the others.

    Hint: 5
    """
    count = max(1, n_keys // block_size)
    return [slice(b * block_size, (b + 1) * block_size) for b in range(count)]


def whole_blocks_only(n_keys, block_size):
    """Only whole blocks are visited

    Only whole blocks are visited, so keys at the end are lost. When block_size exceeds the number
    of keys, no block is visited at all. The last block may be shorter than the others.

    Hint: 5
    """
    count = n_keys // block_size
    return [slice(b * block_size, (b + 1) * block_size) for b in range(count)]


def skips_first_block(n_keys, block_size):
    """The first block is skipped

    The first block of keys is never visited. Counting starts at 0, and so do the rows of K.

    Hint: 5
    """
    return blocks(n_keys, block_size)[1:]


def blocks_overlap(n_keys, block_size):
    """Neighbouring blocks share a key

    Each block reaches one key too far, so that key counts twice. The end of a slice is not part of
    it.

    Hint: 5
    """
    starts = range(0, n_keys, block_size)
    return [slice(start, start + block_size + 1) for start in starts]


def windows_overlap(n_keys, block_size):
    """The blocks move on by a single key

    The blocks move on one key at a time; most keys count several times. The next block begins
    where the last one ended.

    Hint: 5
    """
    return [slice(start, start + block_size) for start in range(n_keys)]


def block_count(n_keys, block_size):
    """block_size is used as the number of blocks

    The keys are cut into block_size blocks, not into blocks of that size. When there are fewer
    keys than that, some blocks are empty and have no maximum.

    Hint: 5
    """
    return np.array_split(np.arange(n_keys), block_size)
