from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((34, 50), "float32"), C: T.Buffer((32, 48), "float32")):
    B = T.alloc_buffer((34, 50), "float32")
    for i, j in T.grid(34, 50):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 48):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + 1, vj + 2] + B[vi + 2, vj]
