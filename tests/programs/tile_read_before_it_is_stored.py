from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((2, 16, 64), "float32"), B: T.Buffer((32, 64), "float32"), C: T.Buffer((2, 16, 64), "float32")):
    S = T.alloc_buffer((16, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range($TILES):
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("before"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        C[vc, vi, vj] = B[$READ]
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        S[vi, vj] = A[vc, vi, vj] * T.float32(2)
            for i in range(16):
                for j in range(64):
                    with T.block("O"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.copy": "$HOW"})
                        B[vc * 16 + vi, vj] = S[vi, vj]
