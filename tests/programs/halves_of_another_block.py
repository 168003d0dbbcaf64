@T.prim_func
def main(A: T.Buffer((2, 64 * $LANES), "$TYPE"), B: T.Buffer((64, 16), "$TYPE"), C: T.Buffer((2, 64 * $LANES), "$TYPE")):
    S = T.alloc_buffer((2, 64 * $LANES), "$TYPE", scope="shared.cluster")
    for z in T.thread_binding(2, thread="blockIdx.z"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            for v in range($LANES):
                with T.block("S"):
                    z, t, v = T.axis.remap("SSS", [z, t, v])
                    S[z, t * $LANES + v] = A[z, t * $LANES + v] + A[z, t * $LANES + v]
        for t in T.thread_binding(64, thread="threadIdx.x"):
            for v in T.vectorized($LANES):
                with T.block("C"):
                    z, t, v = T.axis.remap("SSS", [z, t, v])
                    C[z, t * $LANES + v] = $VALUE
