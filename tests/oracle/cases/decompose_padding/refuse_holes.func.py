from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30,), "float32"), B: T.Buffer((40,), "float32"), C: T.Buffer((40,), "float32")):
    for i in range(40):
        with T.block("B"):
            vi = T.axis.spatial(40, i)
            B[vi] = T.if_then_else(5 <= vi and vi < 35 and vi % 2 == 0, A[vi - 5] + T.float32(1), T.float32(0))
    for i in range(40):
        with T.block("C"):
            vi = T.axis.spatial(40, i)
            C[vi] = B[vi] * T.float32(3)
