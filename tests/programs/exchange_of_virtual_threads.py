@T.prim_func
def main(A: T.Buffer((256,), "float32"), O: T.Buffer((256,), "float32")):
    S = T.alloc_buffer((256,), "float32", scope="shared")
    for tx in $THREADS:
        for vx in T.thread_binding(2, "vthread.x"):
            for i in range($EACH):
                with T.block("S"):
                    v = T.axis.spatial(256, vx * 128 + tx * $EACH + i)
                    S[v] = A[v]
        $BETWEEN
            for i in range($EACH):
                with T.block("O"):
                    v = T.axis.spatial(256, vx * 128 + tx * $EACH + i)
                    O[v] = S[255 - v]
