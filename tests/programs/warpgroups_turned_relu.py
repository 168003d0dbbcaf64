from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer((160, 264), "bfloat16"),
    B: T.Buffer((192, 160), "bfloat16"),
    D: T.Buffer((264, 192), "float32"),
):
    C = T.alloc_buffer((264, 192), "float32")
    for i, j, k in T.grid(264, 192, 160):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vk, vi]) * T.Cast("float32", B[vj, vk])
    for i, j in T.grid(264, 192):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj], T.float32(0))
