@T.prim_func
def main(A: T.Buffer((64,), "int32"), D: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi] // D[vi]
