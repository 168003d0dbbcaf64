from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer(($K, $M), "$TYPE"),
    B: T.Buffer(($K, $N), "$TYPE"),
    C: T.Buffer(($M, $N), "float32"),
):
    for i, j, k in T.grid($M, $N, $K):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vk, vi]) * T.Cast("float32", B[vk, vj])
