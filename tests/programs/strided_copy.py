@T.prim_func
def main(A: T.Buffer(($SIZE,), "$TYPE"), B: T.Buffer((4096,), "$TYPE")):
    for i in range(4096):
        with T.block("B"):
            vi = T.axis.spatial(4096, i)
            B[vi] = A[vi * $STRIDE]
