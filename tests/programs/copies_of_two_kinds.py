@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    # A row of eight elements, and four of the eight elements of each further row.
    for t in T.thread_binding(1, thread="blockIdx.x"):
        for c in range(8):
            with T.block("first"):
                vc = T.axis.spatial(8, c)
                B[vc] = A[vc]
        for a, b in T.grid(4, 4):
            with T.block("others"):
                va, vb = T.axis.remap("SS", [a, b])
                B[8 + va * 8 + vb] = A[8 + va * 8 + vb]
