@T.prim_func
def main(A: T.Buffer((8,), "float32"), G: T.Buffer((8,), "int32"), C: T.Buffer((8,), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            $STATEMENT
