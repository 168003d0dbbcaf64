@T.prim_func
def main(A: T.Buffer((64,), "float32"), I: T.Buffer(($N,), "int32"), B: T.Buffer(($N,), "float32")):
    for i in range($N):
        with T.block("B"):
            vi = T.axis.spatial($N, i)
            B[vi] = A[I[vi]]
