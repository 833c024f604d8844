# expect: policy_error
# goal: the frame of the traceback that __exit__ is given
# raw: runtime_error
class Names:
    __match_args__ = ("tb_frame",)
class Manager:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        match traceback:
            case object(tb_frame=frame):
                raise KeyError(f"PAST THE POLICY {frame!r}")
with Manager():
    1 / 0

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
