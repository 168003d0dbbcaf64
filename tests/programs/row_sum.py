@T.prim_func
def main(A: T.Buffer(($M, $K), "float32"), C: T.Buffer(($M,), "float32")):
    for i, k in T.grid($M, $K):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vk]
