@T.prim_func
def main(A: T.Buffer((32,), "int32"), D: T.Buffer((32,), "int32"), S: T.Buffer((32,), "int32"), Y: T.Buffer((32,), "int32")):
    for i in range(32):
        with T.block("Y"):
            vi = T.axis.spatial(32, i)
            Y[vi] = T.shift_left(A[vi] // D[vi], S[vi])
