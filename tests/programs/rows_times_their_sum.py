@T.prim_func
def main(A: T.Buffer((32, 16), "float32"), B: T.Buffer((32, 8), "float32"), C: T.Buffer((32, 8), "float32")):
    R = T.alloc_buffer((32,), "float32")
    for i, k in T.grid(32, 16):
        with T.block("R"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                R[vi] = T.float32(0)
            R[vi] = R[vi] + A[vi, vk]
    for i, j in T.grid(32, 8):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = R[vi] * B[vi, vj]
