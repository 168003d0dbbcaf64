@T.prim_func
def main($FROM: T.Buffer($SHAPE, "float32"), $TO: T.Buffer($SHAPE, "float32")):
    for i, j in T.grid$SHAPE:
        with T.block("$BLOCK"):
            vi, vj = T.axis.remap("SS", [i, j])
            $TO[vi, vj] = $FROM[vi, vj]
