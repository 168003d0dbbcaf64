@T.prim_func
def main(A: T.Buffer((64, 8), "float32"), B: T.Buffer((8, 4), "float32"), C: T.Buffer((64, 4), "float32")):
    for i, j in T.grid(64, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, 0] * B[0, vj]
