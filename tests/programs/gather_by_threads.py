@T.prim_func
def main(X: T.Buffer((50, 32), "float32"), G: T.Buffer((20,), "int32"), Y: T.Buffer((20, 32), "float32")):
    for i in T.thread_binding(20, "blockIdx.x"):
        for j in T.thread_binding(32, "threadIdx.x"):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[G[vi] - 40, vj]
