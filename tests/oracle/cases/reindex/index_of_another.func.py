from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((9, 16), "float32"), X: T.Buffer((5,), "int32"), B: T.Buffer((5, 16), "float32")):
    for i, j in T.grid(5, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[X[vi], vj]
