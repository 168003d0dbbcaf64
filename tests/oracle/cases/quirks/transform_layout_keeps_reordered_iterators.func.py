from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30, 20), "float32"), B: T.Buffer((30, 20), "float32")):
    for i, j in T.grid(30, 20):
        with T.block("B"):
            vj, vi = T.axis.remap("SS", [j, i])
            B[vi, vj] = A[vi, vj]
