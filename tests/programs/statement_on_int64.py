@T.prim_func
def main(A: T.Buffer((64,), "int64"), D: T.Buffer((64,), "float32"), E: T.Buffer((64,), "int64")):
    for i in range($EXTENT):
        with T.block("S"):
            vi = T.axis.spatial($EXTENT, i)
            $STATEMENT
