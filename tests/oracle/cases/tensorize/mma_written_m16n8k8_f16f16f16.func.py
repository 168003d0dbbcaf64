from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    A_shared = T.alloc_buffer((64, 64), "float16", scope="shared.dyn")
    B_shared = T.alloc_buffer((64, 64), "float16", scope="shared.dyn")
    C_shared = T.alloc_buffer((64, 64), "float16", scope="shared.dyn")
    A_frag = T.alloc_buffer((64, 64), "float16", scope="m16n8k8.matrixA")
    B_frag = T.alloc_buffer((64, 64), "float16", scope="m16n8k8.matrixB")
    C_frag = T.alloc_buffer((64, 64), "float16", scope="m16n8k8.matrixC")
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for by in T.thread_binding(2, thread="blockIdx.y"):
            for o0, o1, i, j in T.grid(2, 4, 16, 8):
                with T.block("C_init"):
                    vi = T.axis.spatial(64, bx * 32 + o0 * 16 + i)
                    vj = T.axis.spatial(64, by * 32 + o1 * 8 + j)
                    C_frag[vi, vj] = T.float16(0)
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
                                v0 = T.axis.spatial(64, kt * 32 + (t * 256 + tx * 8 + v) // 32)
                                v1 = T.axis.spatial(64, by * 32 + (t * 256 + tx * 8 + v) % 32)
                                B_shared[v0, v1] = B[v0, v1]
                for ko in range(4):
                    for i, k in T.grid(32, 8):
                        with T.block("A_frag"):
                            vi = T.axis.spatial(64, bx * 32 + i)
                            vk = T.axis.spatial(64, kt * 32 + ko * 8 + k)
                            A_frag[vi, vk] = A_shared[vi, vk]
                    for k, j in T.grid(8, 32):
                        with T.block("B_frag"):
                            vk = T.axis.spatial(64, kt * 32 + ko * 8 + k)
                            vj = T.axis.spatial(64, by * 32 + j)
                            B_frag[vk, vj] = B_shared[vk, vj]
                    for o0, o1, i, j, k in T.grid(2, 4, 16, 8, 8):
                        with T.block("C"):
                            vi = T.axis.spatial(64, bx * 32 + o0 * 16 + i)
                            vj = T.axis.spatial(64, by * 32 + o1 * 8 + j)
                            vk = T.axis.reduce(64, kt * 32 + ko * 8 + k)
                            C_frag[vi, vj] = C_frag[vi, vj] + A_frag[vi, vk] * B_frag[vk, vj]
            for o0, o1, i, j in T.grid(2, 4, 16, 8):
                with T.block("C_store"):
                    vi = T.axis.spatial(64, bx * 32 + o0 * 16 + i)
                    vj = T.axis.spatial(64, by * 32 + o1 * 8 + j)
                    C_shared[vi, vj] = C_frag[vi, vj]
            for t in range(32):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    with T.block("C_out"):
                        vi = T.axis.spatial(64, bx * 32 + t)
                        vj = T.axis.spatial(64, by * 32 + tx)
                        C[vi, vj] = C_shared[vi, vj]
