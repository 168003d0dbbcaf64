@T.prim_func
def main(A: T.Buffer(($M, $K), "float32"), E: T.Buffer(($M, $K), "float32")):
    S = T.alloc_buffer(($M,), "float32")
    D = T.alloc_buffer(($M,), "float32")
    for i, k in T.grid($M, $K):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i, k in T.grid($M, $K):
        with T.block("D"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                D[vi] = T.min_value("float32")
            D[vi] = T.max(D[vi], A[vi, vk] - S[vi])
    for i, k in T.grid($M, $K):
        with T.block("E"):
            vi, vk = T.axis.remap("SS", [i, k])
            E[vi, vk] = A[vi, vk] * S[vi] - D[vi]
