@T.prim_func
def main(
    A: T.Buffer((64, 32), "float32"),
    B: T.Buffer((64, 32), "float32"),
    D: T.Buffer((64, 64), "float32"),
):
    for i, j, k in T.grid(64, 64, 32):
        with T.block("D"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[vi, vj] = T.float32(-1000)
            D[vi, vj] = T.max(D[vi, vj], A[vi, vk] + B[vj, vk])
