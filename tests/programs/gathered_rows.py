@T.prim_func
def main(X: T.Buffer((16, 8), "float32"), $INPUTS, Y: T.Buffer((32, 8), "float32")):
    for i, j in T.grid(32, 8):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
