@T.prim_func
def main(A: T.Buffer((40, 24), "float32"), D: T.Buffer((40, 24), "float32")):
    B = T.alloc_buffer((40, 24), "float32")
    for i, j in T.grid(40, 24):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(40, 24):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(B[vi, vj] + T.float32(1), T.float32(0))
