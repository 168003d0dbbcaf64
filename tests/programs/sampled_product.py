@T.prim_func
def main(
    A: T.Buffer((70, 44), "float32"),
    B: T.Buffer((44, 64), "float32"),
    S: T.Buffer((70, 64), "float32"),
    C: T.Buffer((70, 64), "float32"),
):
    for i, j, k in T.grid(70, 64, 44):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * S[vi, vj] * B[vk, vj]
