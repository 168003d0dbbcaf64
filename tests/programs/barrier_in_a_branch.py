@T.prim_func
def main(A: T.Buffer((30,), "float32"), C: T.Buffer((30,), "float32")):
    for i in T.thread_binding(32, "threadIdx.x"):
        with T.block("tile"):
            vi = T.axis.spatial(30, i)
            T.where(i < 30)
            S = T.alloc_buffer((30,), scope="shared")
            with T.block("S"):
                v0 = T.axis.spatial(30, vi)
                S[v0] = A[v0]
            with T.block("C"):
                v1 = T.axis.spatial(30, vi)
                C[v1] = S[29 - v1]
