from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30, 20), "int32"), C: T.Buffer((30, 20), "int32")):
    B = T.alloc_buffer((30, 20), "int32")
    for i0, j, i1 in T.grid(5, 20, 6):
        with T.block("B"):
            vi = T.axis.spatial(30, i0 * 6 + i1)
            vj = T.axis.spatial(20, j)
            B[vi, vj] = A[vi, vj] * 2
    for i, j in T.grid(30, 20):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + 1
