from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((1, 30, 1), "float32"), B: T.Buffer((1, 30, 1), "float32")):
    for n, i, j in T.grid(1, 30, 1):
        with T.block("B"):
            vn, vi, vj = T.axis.remap("SSS", [n, i, j])
            B[vn, vi, vj] = A[vn, vi, vj]
