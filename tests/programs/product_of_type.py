@T.prim_func
def main(A: T.Buffer(($M, $K), "$TYPE"), B: T.Buffer(($K, $N), "$TYPE"), C: T.Buffer(($M, $N), "$TYPE")):
    for i, j, k in T.grid($M, $N, $K):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.$TYPE(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
