@T.prim_func
def main(A: T.Buffer(($M, $K), "float32"), B: T.Buffer(($K, $N), "float32"), C: T.Buffer(($M, $N), "float32")):
    X = T.alloc_buffer(($M, $K), "$TYPE")
    Y = T.alloc_buffer(($K, $N), "$TYPE")
    for i, k in T.grid($M, $K):
        with T.block("X"):
            vi, vk = T.axis.remap("SS", [i, k])
            X[vi, vk] = T.Cast("$TYPE", T.sin(A[vi, vk] + T.Cast("float32", vi * 5 + vk) * T.float32(0.37)))
    for k, j in T.grid($K, $N):
        with T.block("Y"):
            vk, vj = T.axis.remap("SS", [k, j])
            Y[vk, vj] = T.Cast("$TYPE", T.Select(vk == $LEFT_OUT, T.float32(0), T.cos(B[vk, vj] + T.Cast("float32", vk * 3 + vj) * T.float32(0.61))))
    for i, j, k in T.grid($M, $N, $K):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", Y[vk, vj])
