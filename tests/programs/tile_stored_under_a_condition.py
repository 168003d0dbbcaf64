from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), B: T.Buffer((16, 64), "float32"), C: T.Buffer((64,), "float32")):
    S = T.alloc_buffer((16, 64), "float32", scope="shared.dyn")
    L = T.alloc_buffer((1,), "float32", scope="local")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for i in range(16):
            for j in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("S"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    S[vi, vj] = A[vi, vj] * T.float32(2)
        for j in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("L"):
                vj = T.axis.spatial(64, j)
                L[0] = $VALUE
        if L[0] < T.float32(1):
            for j in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("C"):
                    vj = T.axis.spatial(64, j)
                    C[vj] = A[0, vj]
            for i, j in T.grid(16, 64):
                with T.block("O"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.block_attr({"tileloom.copy": "bulk"})
                    B[vi, vj] = S[vi, vj]
