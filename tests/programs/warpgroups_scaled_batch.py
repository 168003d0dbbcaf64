from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer((3, 128, 128), "int8"),
    B: T.Buffer((3, 96, 128), "int8"),
    scale: T.Buffer((96,), "float32"),
    D: T.Buffer((3, 128, 96), "float32"),
):
    C = T.alloc_buffer((3, 128, 96), "int32")
    for b, i, j, k in T.grid(3, 128, 96, 128):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = 0
            C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("int32", A[vb, vi, vk]) * T.Cast("int32", B[vb, vj, vk])
    for b, i, j in T.grid(3, 128, 96):
        with T.block("D"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            D[vb, vi, vj] = T.Cast("float32", C[vb, vi, vj]) * scale[vj]
