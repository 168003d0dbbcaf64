from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4, 64, 64), "float32"), B: T.Buffer((4, 64, 64), "float32"), C: T.Buffer((4, 64, 64), "float32")):
    S = T.alloc_buffer((64, 64), "float32", scope="shared.dyn")
    R = T.alloc_buffer((64, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range($TILES):
            for i in range(64):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.slots": $SLOTS})
                        S[vi, vj] = A[vc, vi, vj] * T.float32(2)
            for i in range(64):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("R"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        R[vi, vj] = A[vc, vi, vj] * T.float32(3)
            for i in range(64):
                for j in range(64):
                    with T.block("O"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.copy": "$BY_ONE"})
                        B[vc, vi, vj] = S[vi, vj]
            for i in T.thread_binding(64, thread="threadIdx.x"):
                for j in range(64):
                    with T.block("P"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.copy": "bulk"})
                        C[vc, vi, vj] = $FROM[vi, vj]
