from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    S = T.alloc_buffer((64, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for w in T.thread_binding(4, thread="threadIdx.y"):
            for i, j0 in T.grid(16, 4):
                for j in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("S"):
                        vi = T.axis.spatial(64, w * 16 + i)
                        vj = T.axis.spatial(64, j0 * 16 + j)
                        S[vi, vj] = A[vi, vj] * T.float32(2)
        for w in T.thread_binding(4, thread="threadIdx.y"):
            for i, j in T.grid(16, 64):
                with T.block("O"):
                    vi = T.axis.spatial(64, w * 16 + i)
                    vj = T.axis.spatial(64, j)
                    T.block_attr({"tileloom.copy": "tma"})
                    B[vi, vj] = S[vi, vj]
