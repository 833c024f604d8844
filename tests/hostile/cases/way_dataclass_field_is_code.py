# expect: runtime_error
# goal: code in the name of a field, which dataclass compiles
# raw: runtime_error
from dataclasses import dataclass
from typing import TypedDict
CODE = "a=[].__class__.__base__.__subclasses__()):\n  return None\n #"
Own = TypedDict("Own", {CODE: int})
try:
    dataclass(Own)
except SyntaxError as error:
    raise KeyError(f"PAST THE POLICY {error!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
