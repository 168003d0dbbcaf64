@T.prim_func
def main(
    A: T.Buffer((72, 36), "float32"),
    B: T.Buffer((36, 64), "float32"),
    D: T.Buffer((72, 64), "float32"),
):
    for i, j, k in T.grid(72, 64, 36):
        with T.block("D"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[vi, vj] = T.max_value("float32")
            D[vi, vj] = T.min(D[vi, vj], A[vi, vk] + B[vk, vj])
