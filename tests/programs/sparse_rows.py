@T.prim_func
def main(V: T.Buffer((100,), "float32"), J: T.Buffer((100,), "int32"), P: T.Buffer((33,), "int32"), X: T.Buffer((64,), "float32"), Y: T.Buffer((32,), "float32")):
    for i in range(32):
        with T.block("Y"):
            vi = T.axis.spatial(32, i)
            Y[vi] = T.float32(0)
            for k in range(P[vi], P[vi + 1]):
                Y[vi] = Y[vi] + V[k] * X[J[k]]
