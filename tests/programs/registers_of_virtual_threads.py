@T.prim_func
def main(A: T.Buffer((32, 2, $OUTER, 16), "$TYPE"), C: T.Buffer((32, 2, $OUTER, $SIZE), "$TYPE")):
    for t in T.thread_binding(32, thread="threadIdx.x"):
        for x in T.thread_binding(2, thread="vthread.x"):
            for y in T.thread_binding($OUTER, thread="vthread.y"):
                with T.block("outer"):
                    vt, vx, vy = T.axis.remap("SSS", [t, x, y])
                    L = T.alloc_buffer(($SIZE,), "$TYPE", scope="local")
                    for v in $FIRST:
                        with T.block("first"):
                            vv = T.axis.spatial(4, v)
                            L[vv] = A[vt, vx, vy, vv]
                    for v in range($SIZE - 4):
                        with T.block("rest"):
                            vv = T.axis.spatial($SIZE - 4, v)
                            L[vv + 4] = A[vt, vx, vy, vv + 4]
                    for k in range($SIZE):
                        with T.block("C"):
                            vk = T.axis.spatial($SIZE, k)
                            C[vt, vx, vy, vk] = L[$SIZE - 1 - vk]
