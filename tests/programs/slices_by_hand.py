@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    R = T.alloc_buffer((2, 32), "float32", scope="shared.cluster")
    S = T.alloc_buffer((32,), "float32", scope="shared")
    L = T.alloc_buffer((1,), "float32", scope="local")
    for bx in T.thread_binding(2, "blockIdx.x"):
        for bz in T.thread_binding(2, "blockIdx.z"):
            for tx in T.thread_binding(32, "threadIdx.x"):
