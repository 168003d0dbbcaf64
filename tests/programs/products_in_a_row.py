@T.prim_func
def main(A: T.Buffer(($M, $K), "float16"), B: T.Buffer(($K, $N), "float16"), C: T.Buffer(($N, $L), "float16"), Q: T.Buffer(($M, $L), "float32")):
    P = T.alloc_buffer(($M, $N), "float32")
    Ph = T.alloc_buffer(($M, $N), "float16")
    for i, j, k in T.grid($M, $N, $K):
        with T.block("P"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                P[vi, vj] = T.float32(0)
            P[vi, vj] = P[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
    for i, j in T.grid($M, $N):
        with T.block("Ph"):
            vi, vj = T.axis.remap("SS", [i, j])
            Ph[vi, vj] = T.Cast("float16", P[vi, vj])
    for i, j, k in T.grid($M, $L, $N):
        with T.block("Q"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Q[vi, vj] = T.float32(0)
            Q[vi, vj] = Q[vi, vj] + T.Cast("float32", Ph[vi, vk]) * T.Cast("float32", C[vk, vj])
