@T.prim_func
def main(X: T.Buffer((50, 32), "float32"), k: T.int32, G: T.Buffer((20,), "int32"), Y: T.Buffer((20, 32), "float32")):
    for i, j in T.grid(20, 32):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = X[G[vi] - 40, vj]
