from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((128, 64), "float32"), B: T.Buffer((128, 64), "float32")):
    S = T.alloc_buffer((16, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range(7):
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S1"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.slots": $SLOTS})
                        S[vi, vj] = A[vc * 16 + vi, vj] * T.float32(2)
            for i in range(16):
                for j in range(64):
                    with T.block("O1"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.copy": "tma"})
                        B[vc * 16 + vi, vj] = S[vi, vj]
        for i in range(16):
            for j in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("S2"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    S[vi, vj] = A[112 + vi, vj] * T.float32(3)
        for i in range(16):
            for j in range(64):
                with T.block("O2"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.block_attr({"tileloom.copy": "tma"})
                    B[112 + vi, vj] = S[vi, vj]
