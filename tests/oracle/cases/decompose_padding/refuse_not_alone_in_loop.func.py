from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30, 20), "float32"), B: T.Buffer((30, 20), "float32"), C: T.Buffer((30, 20), "float32")):
    for i, j in T.grid(30, 20):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
