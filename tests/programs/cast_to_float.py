@T.prim_func
def main(A: T.Buffer((64,), "$TYPE"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            T.reads(A[vi])
            T.writes(B[vi])
            B[vi] = T.Cast("float32", A[vi])
