"""Misconceptions about where blocks begin and end."""
import numpy as np


def _run_blocks(Q, K, V, blocks):
    m = np.full((len(Q), 1), -np.inf)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start, end in blocks:
        s = block_scores(Q, K[start:end])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair, p = np.exp(m - m_new), np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[start:end]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]


def drops_tail(Q, K, V, block_size):
    """The short last block is ignored

    The last keys are never visited when block_size does not divide their number. A whole-number
    division rounds down and forgets them. The last block may be shorter than the others.

    Hint: 5
    """
    count = max(1, len(K) // block_size)
    return _run_blocks(Q, K, V, [(b * block_size, (b + 1) * block_size) for b in range(count)])


def whole_blocks_only(Q, K, V, block_size):
    """Only whole blocks are visited

    Only whole blocks are visited, so keys at the end are lost. When block_size exceeds the number
    of keys, no block is visited at all. The last block may be shorter than the others.

    Hint: 5
    """
    count = len(K) // block_size
    return _run_blocks(Q, K, V, [(b * block_size, (b + 1) * block_size) for b in range(count)])


def skips_first_block(Q, K, V, block_size):
    """The first block is skipped

    The first block of keys is never visited. Counting starts at 0, and so do the rows of K.

    Hint: 5
    """
    starts = range(block_size, len(K), block_size)
    return _run_blocks(Q, K, V, [(start, start + block_size) for start in starts])


def blocks_overlap(Q, K, V, block_size):
    """Neighbouring blocks share a key

    Each block reaches one key too far, so that key counts twice. The end of a slice is not part of
    it.

    Hint: 5
    """
    starts = range(0, len(K), block_size)
    return _run_blocks(Q, K, V, [(start, start + block_size + 1) for start in starts])


def windows_overlap(Q, K, V, block_size):
    """The blocks move on by a single key

    The blocks move on one key at a time; most keys count several times. The next block begins
    where the last one ended.

    Hint: 5
    """
    return _run_blocks(Q, K, V, [(start, start + block_size) for start in range(len(K))])


def block_count(Q, K, V, block_size):
    """block_size is taken for the number of blocks

    The keys are cut into block_size blocks, not into blocks of that size. When there are fewer
    keys than that, some blocks are empty and have no maximum.

    Hint: 5
    """
    parts = np.array_split(np.arange(len(K)), block_size)
    m = np.full((len(Q), 1), -np.inf)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for rows in parts:
        s = block_scores(Q, K[rows])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair, p = np.exp(m - m_new), np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[rows]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]


def pads_with_zeros(Q, K, V, block_size):
    """The last block is filled up with zeros

    The last block is filled up with zero keys, and they earn weight. Their score is 0, and exp(0)
    is 1. A shorter block needs no filling.

    Hint: 5
    """
    missing = -len(K) % block_size
    K, V = (np.concatenate([a, np.zeros((missing, a.shape[1]))]) for a in (K, V))
    return flash_attention(Q, K, V, block_size)


def must_divide(Q, K, V, block_size):
    """block_size has to divide n_k

    The keys are reshaped into equal blocks, an error when they do not divide. The last block may
    be shorter than the others.

    Hint: 5
    """
    K.reshape(-1, block_size, K.shape[1])
    return flash_attention(Q, K, V, block_size)
