from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((60, 64), "float32"), B: T.Buffer((60, 64), "float32")):
    S = T.alloc_buffer((1, $COLUMNS), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range(60):
            for i in range(1):
                for j in T.thread_binding($COLUMNS, thread="threadIdx.x"):
                    with T.block("S"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.slots": $SLOTS})
                        S[vi, vj] = T.if_then_else(vj < 64, A[vc + vi, vj] * T.float32(2), T.float32(0))
            for i in range(1):
                for j in range(64):
                    with T.block("O"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.block_attr({"tileloom.copy": "$HOW"})
                        B[vc + vi, vj] = S[vi, vj]
