from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((3, 33, 17), "float32"), B: T.Buffer((3, 17, 9), "float32"), C: T.Buffer((3, 33, 9), "float32")):
    D = T.alloc_buffer((3, 33, 9), "float32")
    for b, i, j, k in T.grid(3, 33, 9, 17):
        with T.block("D"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                D[vb, vi, vj] = T.float32(0)
            D[vb, vi, vj] = D[vb, vi, vj] + A[vb, vi, vk] * B[vb, vk, vj]
    for b, i, j in T.grid(3, 33, 9):
        with T.block("C"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            C[vb, vi, vj] = T.max(D[vb, vi, vj], T.float32(0))
