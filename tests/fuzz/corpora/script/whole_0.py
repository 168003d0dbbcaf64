from tvm.script import tir as T
from tvm import tir
@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
def tile(sch, n=4, *, axes=("blockIdx.x", "threadIdx.x")):
    loops = sch.get_loops(sch.get_block("C"))
    for l, a in zip(loops, axes):
        sch.bind(l, a)
    return [sch.split(x, [None, n]) for x in loops if n > 99]
sch = tir.Schedule(f)
tile(sch)
print(f"{len('ab'):>4}")
