from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((2, 16, 64), "float32"), B: T.Buffer((2, 16, 64), "float32")):
    S = T.alloc_buffer((2, 16, 64), "float32", scope="shared.cluster")
    for b in T.thread_binding(2, thread="blockIdx.z"):
        for i in range(16):
            for j in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("S"):
                    vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                    S[vb, vi, vj] = A[vb, vi, vj] * T.float32(2)
        for i in range(16):
            for j in range(64):
                with T.block("O"):
                    vb, vi, vj = T.axis.remap("SSS", [b, i, j])
                    T.block_attr({"tileloom.copy": "$HOW"})
                    B[vb, vi, vj] = S[1 - vb, vi, vj]
