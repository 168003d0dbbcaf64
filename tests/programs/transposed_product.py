@T.prim_func
def main(X: T.Buffer(($M, $K), "float16"), Y: T.Buffer(($N, $K), "float16"), Z: T.Buffer(($M, $N), "float32")):
    for i, j, k in T.grid($M, $N, $K):
        with T.block("Z"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Z[vi, vj] = T.float32(0)
            Z[vi, vj] = Z[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", Y[vj, vk])
