@T.prim_func
def main(A: T.Buffer(($M, $K), "$IN"), B: T.Buffer(($N, $K), "$IN"), C: T.Buffer(($M, $N), "$OUT")):
    for k, i, j in T.grid($K, $M, $N):
        with T.block("update"):
            vk, vi, vj = T.axis.remap("RSS", [k, i, j])
            with T.init():
                C[vi, vj] = T.$OUT(0)
            C[vi, vj] = C[vi, vj] + $A * $B
