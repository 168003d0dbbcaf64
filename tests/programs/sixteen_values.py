@T.prim_func
def main(C: T.Buffer((16,), "$TYPE")):
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = $VALUE
