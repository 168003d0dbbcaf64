@T.prim_func
def main(X: T.Buffer((50,), "float16")):
    S = T.alloc_buffer((64,), "float16", scope="shared")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            for u in T.unroll(4):
                with T.block("S"):
                    v = T.axis.spatial(64, t * 4 + u)
                    S[v] = T.if_then_else(v < 50, X[v], T.float16(0))
            for u in T.unroll(4):
                with T.block("X"):
                    v = T.axis.spatial(64, t * 4 + u)
                    T.where(t * 4 + u < 50)
                    X[v] = S[49 - v]
