@T.prim_func
def main(A: T.Buffer((8,), "$TYPE"), B: T.Buffer((8,), "$TYPE"), C: T.Buffer((8,), "$RESULT")):
    for i in T.thread_binding(8, thread="threadIdx.x"):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = $VALUE
