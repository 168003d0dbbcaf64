@T.prim_func
def main(A: T.Buffer((64,), "float32"), O: T.Buffer((64,), "float32")):
    S = T.alloc_buffer(($SIZE,), "float32", scope="shared")
    for vx in T.thread_binding(2, "vthread.x"):
        for tx in T.thread_binding(32, "threadIdx.x"):
            with T.block("S"):
                v, w = T.axis.remap("SS", [tx, vx])
                S[$AT] = A[w * 32 + v]
            with T.block("O"):
                v, w = T.axis.remap("SS", [tx, vx])
                O[w * 32 + v] = S[$FROM]
