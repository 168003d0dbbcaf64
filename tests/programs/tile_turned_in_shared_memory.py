@T.prim_func
def main(A: T.Buffer((128,), "float32"), N: T.Buffer((128,), "int32"), B: T.Buffer((128,), "float32")):
    S = T.alloc_buffer((32,), "float32", scope="shared")
    L = T.alloc_buffer((2,), "int32", scope="local")
    for bx in T.thread_binding(4, "blockIdx.x"):
        for tx in T.thread_binding(32, "threadIdx.x"):
            $BEFORE
            $AROUND:
                with T.block("copy"):
                    v = T.axis.spatial(128, bx * 32 + tx)
                    S[v % 32] = A[v]
                with T.block("turned"):
                    v = T.axis.spatial(128, bx * 32 + tx)
                    B[v] = S[31 - v % 32]
