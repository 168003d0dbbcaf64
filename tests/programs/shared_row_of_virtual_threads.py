@T.prim_func
def main(A: T.Buffer((2, 144), "$TYPE"), C: T.Buffer((2, 128), "int32")):
    S = T.alloc_buffer((144,), "$TYPE", scope="shared")
    for y in T.thread_binding(2, thread="vthread.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            for v in T.vectorized(8):
                with T.block("first"):
                    y, t, v = T.axis.remap("SSS", [y, t, v])
                    S[t * 8 + v] = A[y, t * 8 + v]
            for v in T.vectorized(2):
                with T.block("rest"):
                    T.where(t < $REST // 2)
                    y, t, v = T.axis.remap("SSS", [y, t, v])
                    S[t * 2 + v + 128] = A[y, t * 2 + v + 128]
            for v in range(8):
                with T.block("C"):
                    y, t, v = T.axis.remap("SSS", [y, t, v])
                    C[y, t * 8 + v] = T.Cast("int32", S[t * 8 + v + $REST])
