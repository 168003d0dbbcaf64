@T.prim_func
def main(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32")):
    S = T.alloc_buffer((8, 16), scope="shared")
    for i, j in T.grid(8, 16):
        with T.block("S"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({$OF_S})
            S[vi, vj] = A[vi, vj]
    for i, j in T.grid(8, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({$OF_B})
            B[vi, vj] = S[vi, vj]
