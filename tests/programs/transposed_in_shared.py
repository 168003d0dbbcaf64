@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    S = T.alloc_buffer((16, 16), "float32", scope="shared", $LAYOUT)
    for t in T.thread_binding(16, "threadIdx.x"):
        for j in range(16):
            with T.block("S"):
                vi, vj = T.axis.remap("SS", [t, j])
                S[vi, vj] = A[vi, vj]
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [t, j])
                C[vi, vj] = S[vj, vi]
