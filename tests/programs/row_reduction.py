@T.prim_func
def main(A: T.Buffer(($M, $K), "$TYPE"), C: T.Buffer(($M,), "$TYPE")):
    for i, k in T.grid($M, $K):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = $IDENTITY
            C[vi] = $COMBINED
