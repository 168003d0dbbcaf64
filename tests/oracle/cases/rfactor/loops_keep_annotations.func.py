from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 32, 8), "float32"), B: T.Buffer((64, 8), "float32")):
    for k, i, j in T.grid(32, 64, 8):
        with T.block("B"):
            vk, vi, vj = T.axis.remap("RSS", [k, i, j])
            T.block_attr({"note": 3})
            with T.init():
                B[vi, vj] = T.min_value("float32")
            B[vi, vj] = T.max(B[vi, vj], A[vi, vk, vj] * T.float32(2))
