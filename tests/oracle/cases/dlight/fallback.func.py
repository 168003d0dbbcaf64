from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((100, 70), "float32"), Y: T.Buffer((100, 70), "float32")):
    for i, j in T.grid(100, 70):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = A[vi, vj] * T.float32(2)
