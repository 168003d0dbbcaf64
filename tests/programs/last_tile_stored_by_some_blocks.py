from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((128, 64), "float32"), B: T.Buffer((112, 64), "float32")):
    S = T.alloc_buffer((16, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for c in range(3):
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S1"):
                        vb, vc, vi, vj = T.axis.remap("SSSS", [b, c, i, j])
                        S[vi, vj] = A[vb * 64 + vc * 16 + vi, vj] * T.float32(2)
            for i in range(16):
                for j in range(64):
                    with T.block("O1"):
                        vb, vc, vi, vj = T.axis.remap("SSSS", [b, c, i, j])
                        T.block_attr({"tileloom.copy": "tma"})
                        B[vb * 64 + vc * 16 + vi, vj] = S[vi, vj]
        if b < 1:
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S2"):
                        vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                        S[vi, vj] = A[vb * 64 + 48 + vi, vj] * T.float32(3)
            for i in range(16):
                for j in range(64):
                    with T.block("O2"):
                        vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                        T.block_attr({"tileloom.copy": "tma"})
                        B[vb * 64 + 48 + vi, vj] = S[vi, vj]
