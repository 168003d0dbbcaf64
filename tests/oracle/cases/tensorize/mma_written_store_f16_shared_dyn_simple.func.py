from tvm.script import tir as T


@T.prim_func
def main(C: T.Buffer((32, 32), "float16")):
    C_warp = T.alloc_buffer((2, 2, 32, 8), "float16", scope="warp")
    C_shared = T.alloc_buffer((32, 32), "float16", scope="shared.dyn")
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for o1, r, c in T.grid(2, 16, 16):
            with T.block("C_init"):
                i0, j0, vi, vj = T.axis.remap("SSSS", [bx, o1, r, c])
                C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = T.float16(0)
        for o1, r, c in T.grid(2, 16, 16):
            with T.block("C_store"):
                i0, j0, vi, vj = T.axis.remap("SSSS", [bx, o1, r, c])
                C_shared[i0 * 16 + vi, j0 * 16 + vj] = C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2]
        for t in range(16):
            for tx in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("C"):
                    vi = T.axis.spatial(32, bx * 16 + t)
                    vj = T.axis.spatial(32, tx)
                    C[vi, vj] = C_shared[vi, vj]
