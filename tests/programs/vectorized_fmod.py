@T.prim_func
def main(A: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        for j in T.vectorized(4):
            with T.block("C"):
                vi = T.axis.spatial(32, i * 4 + j)
                C[vi] = T.fmod(T.exp(A[vi]), T.float32(2))
