@T.prim_func
def main(A: T.Buffer((64,), "float32"), O: T.Buffer((64,), "float32")):
    L = T.alloc_buffer((1,), "float32", scope="local")
    for tx in T.thread_binding(32, "threadIdx.x"):
        L[0] = T.float32(0)
        O[tx + 32] = T.float32(0)
        for vx in T.thread_binding(2, "vthread.x"):
            $SUM = $SUM + A[tx]
        O[tx] = L[0]
