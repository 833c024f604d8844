# expect: runtime_error
# goal: a method of an interface, put in the place of the real one for all
# raw: runtime_error
import collections
import collections.abc
real = collections.abc.MutableMapping.update
collections.abc.MutableMapping.update = lambda self, *rest: seen.append(self)
seen = []
collections.ChainMap({}).update({})
collections.abc.MutableMapping.update = real
raise KeyError(f"PAST THE POLICY {seen!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
