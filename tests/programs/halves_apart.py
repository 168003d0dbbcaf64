@T.prim_func
def main(A: T.Buffer((64, $STRIDE), "$TYPE"), B: T.Buffer((64,), "$TYPE"), C: T.Buffer((64,), "$TYPE")):
    for i in range(64):
        with T.block("C"):
            vi = T.axis.spatial(64, i)
            C[vi] = B[vi] + A[vi, 0] * B[0]
