@T.prim_func
def main(A: T.Buffer(($SHAPE, 4), "float32")):
    for i in range(4):
        with T.block("A"):
            vi = T.axis.spatial(4, i)
            T.writes(A[$INDICES, vi])
            A[$INDICES, vi] = T.float32(1)
