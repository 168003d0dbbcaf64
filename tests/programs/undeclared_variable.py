@T.prim_func
def main(C: T.Buffer((4,), "float32")):
    n = T.int32()
    for i in range(4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            C[vi] = T.Cast("float32", n)
