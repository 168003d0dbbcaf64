@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        for k in T.thread_binding(64, thread="$THREAD"):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]
