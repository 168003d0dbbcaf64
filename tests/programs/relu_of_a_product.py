from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(($M, $K), "float16"), B: T.Buffer(($K, $N), "float16"), D: T.Buffer(($M, $N), "float32")):
    C = T.alloc_buffer(($M, $N), "float32")
    for i, j, k in T.grid($M, $N, $K):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])
    for i, j in T.grid($M, $N):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj], T.float32(0))
