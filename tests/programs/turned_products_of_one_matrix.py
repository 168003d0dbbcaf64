@T.prim_func
def main(A: T.Buffer((3, 64, 128), "float16"), B: T.Buffer((64, 96), "float16"), C: T.Buffer((3, 128, 96), "float32")):
    for b, i, j, k in T.grid(3, 128, 96, 64):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            T.reads(A[vb, vk, vi], B[vk, vj])
            T.writes(C[vb, vi, vj])
            with T.init():
                C[vb, vi, vj] = T.float32(0.0)
            C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("float32", A[vb, vk, vi]) * T.Cast("float32", B[vk, vj])
