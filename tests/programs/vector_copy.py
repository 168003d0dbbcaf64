@T.prim_func
def main(A: T.Buffer(($N,), "$TYPE"), B: T.Buffer(($N,), "$TYPE")):
    for i in range($N):
        with T.block("B"):
            vi = T.axis.spatial($N, i)
            B[vi] = A[vi]
