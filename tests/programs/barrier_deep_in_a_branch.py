@T.prim_func
def main(A: T.Buffer((4, 30), "float32"), C: T.Buffer((4, 30), "float32")):
    for i in T.thread_binding(32, "threadIdx.x"):
        with T.block("tile"):
            vi = T.axis.spatial(30, i)
            T.where(i < 30)
            S = T.alloc_buffer((30,), scope="shared")
            for k in range(4):
                with T.block("row"):
                    vk = T.axis.spatial(3, k)
                    T.where(k < 3)
                    with T.block("S"):
                        v0 = T.axis.spatial(30, vi)
                        S[v0] = A[vk, v0]
                    with T.block("C"):
                        v1 = T.axis.spatial(30, vi)
                        C[vk, v1] = S[29 - v1]
