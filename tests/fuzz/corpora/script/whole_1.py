from tvm.script import tir as T
from tvm import tir
@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
sch = tir.Schedule(f)
b = sch.get_block("C")
i, j = sch.get_loops(b)
t = sch.sample_perfect_tile(i, n=2, decision=[4, 4])
sch.split(i, t)
if __name__ == "__main__":
    d = {"a": 1, **{"b": 2}}
    try:
        sch.bind(j, "vthread.q")
    except Exception as e:
        pass
    while d["a"] < 3:
        d["a"] += 1
