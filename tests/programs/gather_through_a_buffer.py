@T.prim_func
def main(X: T.Buffer((16,), "float32"), G: T.Buffer((32,), "int32"), Y: T.Buffer((32, 8), "float32")):
    B = T.alloc_buffer((32,), "int32")
    for i in range(32):
        with T.block("B"):
            vi = T.axis.spatial(32, i)
            B[vi] = G[vi] * 3
    for i, j in T.grid(32, 8):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = X[B[vi]]
