from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer((384, 192), "float16"),
    B: T.Buffer((256, 192), "float16"),
    bias: T.Buffer((256,), "float32"),
    D: T.Buffer((384, 256), "float32"),
):
    C = T.alloc_buffer((384, 256), "float32")
    for i, j, k in T.grid(384, 256, 192):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vj, vk])
    for i, j in T.grid(384, 256):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj] + bias[vj], T.float32(0))
