from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64))):
    A_shared = T.alloc_buffer((64, 64), "float16", scope="shared")
    B_shared = T.alloc_buffer((64, 64), "float16", scope="shared")
    A_warp = T.alloc_buffer((4, 4, 32, 8), "float16", scope="warp")
    B_warp = T.alloc_buffer((4, 4, 32, 8), "float16", scope="warp")
    C_warp = T.alloc_buffer((4, 4, 32, 8), scope="warp")
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for by in T.thread_binding(2, thread="blockIdx.y"):
            for o0, o1, r, c in T.grid(2, 2, 16, 16):
                with T.block("C_init"):
                    i0 = T.axis.spatial(4, bx * 2 + o0)
                    j0 = T.axis.spatial(4, by * 2 + o1)
                    vi, vj = T.axis.remap("SS", [r, c])
                    C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = T.float32(0)
            for kt in range(2):
                for t in range(4):
                    for tx in T.thread_binding(32, thread="threadIdx.x"):
                        for v in T.vectorized(8):
                            with T.block("A_shared"):
                                v0 = T.axis.spatial(64, bx * 32 + (t * 256 + tx * 8 + v) // 32)
                                v1 = T.axis.spatial(64, kt * 32 + (t * 256 + tx * 8 + v) % 32)
                                A_shared[v0, v1] = A[v0, v1]
                for t in range(4):
                    for tx in T.thread_binding(32, thread="threadIdx.x"):
                        for v in T.vectorized(8):
                            with T.block("B_shared"):
                                v0 = T.axis.spatial(64, by * 32 + (t * 256 + tx * 8 + v) // 32)
                                v1 = T.axis.spatial(64, kt * 32 + (t * 256 + tx * 8 + v) % 32)
                                B_shared[v0, v1] = B[v0, v1]
                for o0, o1, r, c in T.grid(2, 2, 16, 16):
                    with T.block("A_warp"):
                        i0 = T.axis.spatial(4, bx * 2 + o0)
                        j0 = T.axis.spatial(4, kt * 2 + o1)
                        v0, v1 = T.axis.remap("SS", [r, c])
                        A_warp[i0, j0, 4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2] = A_shared[i0 * 16 + v0, j0 * 16 + v1]
                for o0, o1, r, c in T.grid(2, 2, 16, 16):
                    with T.block("B_warp"):
                        i0 = T.axis.spatial(4, by * 2 + o0)
                        j0 = T.axis.spatial(4, kt * 2 + o1)
                        v0, v1 = T.axis.remap("SS", [r, c])
                        B_warp[i0, j0, 4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2] = B_shared[i0 * 16 + v0, j0 * 16 + v1]
                for o0, o1, o2, i, j, k in T.grid(2, 2, 2, 16, 16, 16):
                    with T.block("C"):
                        i0 = T.axis.spatial(4, bx * 2 + o0)
                        j0 = T.axis.spatial(4, by * 2 + o1)
                        ko = T.axis.reduce(4, kt * 2 + o2)
                        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                        C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] + T.Cast("float32", A_warp[i0, ko, 4 * (vi % 8) + vk % 8 // 2, 4 * (vk // 8) + vi // 8 * 2 + vk % 2]) * T.Cast("float32", B_warp[j0, ko, 4 * (vj % 8) + vk % 8 // 2, 4 * (vk // 8) + vj // 8 * 2 + vk % 2])
            for o0, o1, r, c in T.grid(2, 2, 16, 16):
                with T.block("C_store"):
                    i0 = T.axis.spatial(4, bx * 2 + o0)
                    j0 = T.axis.spatial(4, by * 2 + o1)
                    vi, vj = T.axis.remap("SS", [r, c])
                    C[i0 * 16 + vi, j0 * 16 + vj] = C_warp[i0, j0, 4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2]
