@T.prim_func
def main(A: T.Buffer($SHAPE, "float32"), D: T.Buffer($SHAPE, "float32")):
    for i, j in T.grid$SHAPE:
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = A[vi, vj] + T.float32(1)
