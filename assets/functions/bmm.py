from tvm.script import tir as T

L = 12
M = 512
N = 512
K = 64


@T.prim_func
def bmm(A: T.Buffer((L, M, K), "float16"), B: T.Buffer((L, N, K), "float16"), C: T.Buffer((L, M, N), "float32")):
    for b, i, j, k in T.grid(L, M, N, K):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("float32", A[vb, vi, vk]) * T.Cast("float32", B[vb, vj, vk])
