@T.prim_func
def main(I: T.Buffer((256,), "$NUMBERS"), A: T.Buffer((16,), "$TYPE"), B: T.Buffer((64, 8), "$TYPE"), C: T.Buffer((256,), "$TYPE")):
    for t in T.thread_binding(64, thread="threadIdx.x"):
        for v in T.vectorized(4):
            with T.block("C"):
                t, v = T.axis.remap("SS", [t, v])
                C[t * 4 + v] = $VALUE
