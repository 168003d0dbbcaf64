@T.prim_func
def main(
    A: T.Buffer((72, 44), "float32"),
    B: T.Buffer((90, 44), "float32"),
    D: T.Buffer((72, 90), "float32"),
):
    for i, j, k in T.grid(72, 90, 44):
        with T.block("D"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                D[vi, vj] = T.float32(0)
            D[vi, vj] = D[vi, vj] + (A[vi, vk] - B[vj, vk]) * (A[vi, vk] - B[vj, vk])
