import tvm
from tvm.script import tir as T
@T.prim_func
def desc(a: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (4, 4), "float32", offset_factor=1)
    C = T.match_buffer(c, (4, 4), "float32", offset_factor=1)
    with T.block("root"):
        T.reads(A[0:4, 0:4])
        T.writes(C[0:4, 0:4])
        for i, j in T.grid(4, 4):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]

@T.prim_func
def impl(a: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (4, 4), "float32", offset_factor=1)
    C = T.match_buffer(c, (4, 4), "float32", offset_factor=1)
    with T.block("root"):
        T.reads(A[0:4, 0:4])
        T.writes(C[0:4, 0:4])
        for i in range(4):
            for j in T.vectorized(4):
                C[i, j] = A[i, j]

tvm.tir.TensorIntrin.register("copy_4x4", desc, impl)
b = sch.get_block("copy")
i, j = sch.get_loops(b)
i0, i1 = sch.split(i, [None, 4])
j0, j1 = sch.split(j, [None, 4])
sch.reorder(i0, j0, i1, j1)
sch.bind(i0, "blockIdx.x")
sch.bind(j0, "threadIdx.x")
sch.tensorize(i1, "copy_4x4")
