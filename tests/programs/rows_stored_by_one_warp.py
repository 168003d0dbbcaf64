from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4, 32), "float32")):
    S = T.alloc_buffer((1, 32), "float32", scope="shared.dyn")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for c in range(4):
            for j in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("S"):
                    vc, vj = T.axis.remap("SS", [c, j])
                    S[0, vj] = A[vc, vj] * T.float32(2)
            for j in range(32):
                with T.block("O"):
                    vc, vj = T.axis.remap("SS", [c, j])
                    T.block_attr({"tileloom.copy": "bulk"})
                    B[vc, vj] = S[0, vj]
