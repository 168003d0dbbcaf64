from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4, 4, 32, 64), "float32"), B: T.Buffer((4, 4, 32, 64), "float32")):
    S = T.alloc_buffer((32, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in range(4):
            if $OUTER:
                for c in range($INNER):
                    if $WHERE:
                        for i in range(32):
                            for j in T.thread_binding(64, thread="threadIdx.x"):
                                with T.block("S"):
                                    vt, vc, vi, vj = T.axis.remap("SSSS", [t, c, i, j])
                                    T.block_attr({"tileloom.slots": 2})
                                    S[vi, vj] = A[vt, vc, vi, vj] * T.float32(2)
                        for i in range(32):
                            for j in range(64):
                                with T.block("O"):
                                    vt, vc, vi, vj = T.axis.remap("SSSS", [t, c, i, j])
                                    T.block_attr({"tileloom.copy": "$HOW"})
                                    B[vt, vc, vi, vj] = S[vi, vj]
