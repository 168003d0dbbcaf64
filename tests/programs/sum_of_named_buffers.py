@T.prim_func
def main($PARAMETERS B: T.Buffer((64,), "float16")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            B[vi] = T.max($SUM, T.float16(0))
