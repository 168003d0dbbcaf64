from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((60, 64), "float32"), B: T.Buffer((60, $WIDTH), "float32", elem_offset=$BEGIN)):
    S = T.alloc_buffer((16, 64), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range(4):
            for i in range(16):
                for j in T.thread_binding(64, thread="threadIdx.x"):
                    with T.block("S"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.where(c * 16 + i < 60)
                        T.block_attr({"buffer_dim_align": [[0, 0, 32, $PADDING]]})
                        S[vi, vj] = A[vc * 16 + vi, vj] * T.float32(2)
            for i in $ROWS:
                for j in range($COLUMNS):
                    with T.block("O"):
                        vc, vi, vj = T.axis.remap("SSS", [c, i, j])
                        T.where($WHERE)
                        T.block_attr({"tileloom.copy": "bulk"$MORE})
                        B[vc * 16 + vi, vj + $SHIFT] = $VALUE
