"""Misconceptions about the running maximum and the repair of the sums."""
import numpy as np


def _run(Q, K, V, block_size, start_max=-np.inf, repair_l=None, repair_acc=None, new_max=None):
    m = np.full((len(Q), 1), start_max)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        s = block_scores(Q, K[start:start + block_size])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True)) if new_max is None else new_max(m, s)
        repair = np.exp(m - m_new)
        p = np.exp(s - m_new)
        l = (repair if repair_l is None else repair_l) * l + p.sum(axis=1, keepdims=True)
        acc = (repair if repair_acc is None else repair_acc) * acc + p @ V[start:start + block_size]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]


def _block_outputs(Q, K, V, block_size):
    blocks = [slice(i, i + block_size) for i in range(0, len(K), block_size)]
    return [flash_attention(Q, K[b], V[b], block_size)[0] for b in blocks]


def no_rescale(Q, K, V, block_size):
    """The sums are never repaired

    Nothing collected so far is repaired when the maximum grows. It was measured against a smaller
    maximum, so it counts for too much. Both running sums need a factor whenever a block brings a
    larger score.

    Hint: 2
    """
    return _run(Q, K, V, block_size, repair_l=1.0, repair_acc=1.0)


def rescale_l_only(Q, K, V, block_size):
    """The weighted values are not repaired

    The lse is right, the output is not. The sum of exponentials is repaired, but the weighted sum
    of values is not. Both were measured against the same old maximum.

    Hint: 2
    """
    return _run(Q, K, V, block_size, repair_acc=1.0)


def rescale_acc_only(Q, K, V, block_size):
    """The sum of exponentials is not repaired

    Both results are off: the weighted values are repaired, their denominator is not. Both sums
    were measured against the same old maximum.

    Hint: 2
    """
    return _run(Q, K, V, block_size, repair_l=1.0)


def rescale_inverted(Q, K, V, block_size):
    """The repair factor is upside down

    The sums are blown up where they should shrink. The factor is the old reference over the new
    one, and the order of the difference in the exponent decides. In the first block it is even
    infinite.

    Hint: 2
    """
    m = np.full((len(Q), 1), -np.inf)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        s = block_scores(Q, K[start:start + block_size])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair, p = np.exp(m_new - m), np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[start:start + block_size]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]


def shifted_by_old_maximum(Q, K, V, block_size):
    """The block is measured against the old maximum

    The exponentials of a block are taken relative to the maximum before it. In the first block
    that is minus infinity. The new maximum has to be known before the first exp.

    Hint: 4
    """
    m = np.full((len(Q), 1), -np.inf)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        s = block_scores(Q, K[start:start + block_size])
        p = np.exp(s - m)
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair = np.exp(m - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[start:start + block_size]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]


def max_from_zero(Q, K, V, block_size):
    """The running maximum starts at 0

    The running maximum starts at 0, so it can never be negative. When all scores are very
    negative, every exponential is 0 and the end is 0 divided by 0. The start has to be below every
    score.

    Hint: 4
    """
    return _run(Q, K, V, block_size, start_max=0.0)


def finite_sentinel(Q, K, V, block_size):
    """The running maximum starts at -5e4

    The stand-in for minus infinity is larger than some real scores. A production kernel was
    shipped with this bug. NumPy has a value below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return _run(Q, K, V, block_size, start_max=-5e4)


def sentinel_minus_1e6(Q, K, V, block_size):
    """The running maximum starts at -1e6

    The running maximum starts at -1e6, and some real scores are lower still. NumPy has a value
    below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return _run(Q, K, V, block_size, start_max=-1e6)


def sentinel_minus_1e9(Q, K, V, block_size):
    """The running maximum starts at a finite number

    The running maximum starts too high, since some real scores are lower still. Even -1e9 or -1e30
    is a score like others. NumPy has a value below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return _run(Q, K, V, block_size, start_max=-1e9)


def block_maximum_only(Q, K, V, block_size):
    """The maximum of the block replaces the running one

    The maximum of each block replaces the running one, even when it is smaller. The repair factor
    then grows, and overflows when an earlier block led by thousands. The running maximum never
    shrinks.

    Hint: 4
    """
    return _run(Q, K, V, block_size, new_max=lambda m, s: s.max(axis=1, keepdims=True))


def one_maximum_for_all(Q, K, V, block_size):
    """One maximum for all queries

    All queries share one running maximum. A query that lies thousands below it underflows to 0,
    and 0 divided by 0 is nan. Each query has its own maximum.

    Hint: 3
    """
    return _run(Q, K, V, block_size, new_max=lambda m, s: np.maximum(m, s.max()))


def no_maximum(Q, K, V, block_size):
    """exp without a running maximum

    The exponentials are taken without a maximum, so large scores overflow. Very negative ones all
    become 0. Both end in nan; the running maximum keeps every exponent at or below 0.

    Hint: 2
    """
    return _run(Q, K, V, block_size, start_max=0.0, new_max=lambda m, s: m)


def average_of_blocks(Q, K, V, block_size):
    """The results of the blocks are averaged

    Each block finishes its own softmax, and the results are averaged. A block of unimportant keys
    then counts as much as the block with the best match. There is one common sum, and one division
    at the end.

    Hint: 4
    """
    outputs = _block_outputs(Q, K, V, block_size)
    return np.mean(outputs, axis=0), flash_attention(Q, K, V, block_size)[1]


def sum_of_blocks(Q, K, V, block_size):
    """The results of the blocks are added

    Each block finishes its own softmax, and the results are added. The weights of a query then sum
    to the number of blocks. There is one common sum, and one division at the end.

    Hint: 4
    """
    outputs = _block_outputs(Q, K, V, block_size)
    return np.sum(outputs, axis=0), flash_attention(Q, K, V, block_size)[1]


def last_block_only(Q, K, V, block_size):
    """Only the last block counts

    The result is that of the last block alone. The sums are started anew in every block. They
    belong before the loop, so that they can collect.

    Hint: 4
    """
    start = (len(K) - 1) // block_size * block_size
    return flash_attention(Q, K[start:], V[start:], block_size)


def divides_in_loop(Q, K, V, block_size):
    """Divided in every block

    The weighted values are divided by the sum in every block. The next block then adds to
    something already divided. The division belongs after the loop.

    Hint: 4
    """
    m = np.full((len(Q), 1), -np.inf)
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        s = block_scores(Q, K[start:start + block_size])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair, p = np.exp(m - m_new), np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = (repair * acc + p @ V[start:start + block_size]) / l
        m = m_new
    return acc, (m + np.log(l))[:, 0]


def no_division(Q, K, V, block_size):
    """The output is not divided by the sum

    The weighted values are returned as collected. Their weights do not sum to 1 yet: the division
    by the sum of exponentials is missing.

    Hint: 4
    """
    m = block_scores(Q, K).max(axis=1)
    output, lse = flash_attention(Q, K, V, block_size)
    return output * np.exp(lse - m)[:, None], lse
