"""The loop over the blocks goes another way."""
import numpy as np


def _block_outputs(Q, K, V, block_size):
    every = blocks(len(K), block_size)
    return [flash_attention(Q, K[block], V[block], block_size)[0] for block in every]


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

    The keys are reshaped into equal blocks, which raises an error when their number doesn't divide.
    The last block may be shorter than the others.

    Hint: 5
    """
    K.reshape(-1, block_size, K.shape[1])
    return flash_attention(Q, K, V, block_size)


def shifted_by_old_maximum(Q, K, V, block_size):
    """The block is measured against the old maximum

    The exponentials of a block are taken relative to the maximum before it. In the first block
    that is minus infinity. The new maximum has to be known before the first exp.

    Hint: 4
    """
    m = first_maximum(len(Q))
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for block in blocks(len(K), block_size):
        s = block_scores(Q, K[block])
        m_new = new_maximum(m, s)
        repair = repair_factor(m, m_new)
        p = exponentials(s, m)
        l = add_to_sum(l, repair, p)
        acc = add_to_values(acc, repair, p, V[block])
        m = m_new
    return share_out(acc, l), log_sum_exp(m, l)


def divides_in_loop(Q, K, V, block_size):
    """Divided in every block

    The weighted values are divided by the sum in every block. The next block then adds to
    something already divided. The division belongs after the loop.

    Hint: 4
    """
    m = first_maximum(len(Q))
    l, acc = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for block in blocks(len(K), block_size):
        s = block_scores(Q, K[block])
        m_new = new_maximum(m, s)
        repair = repair_factor(m, m_new)
        p = exponentials(s, m_new)
        l = add_to_sum(l, repair, p)
        acc = share_out(add_to_values(acc, repair, p, V[block]), l)
        m = m_new
    return acc, log_sum_exp(m, l)


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
    last = blocks(len(K), block_size)[-1]
    return flash_attention(Q, K[last], V[last], block_size)


def softmax_over_queries(Q, K, V, block_size):
    """The softmax runs over the queries

    The weights of each key sum to 1 over the queries. It should be the other way round: each query
    shares out a weight of 1 among the keys.

    Hint: 3
    """
    s = block_scores(Q, K)
    p = np.exp(s - s.max(axis=0))
    return p / p.sum(axis=0) @ V, flash_attention(Q, K, V, block_size)[1]
