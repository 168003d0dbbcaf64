@T.prim_func
def main(X: T.Buffer((2, 6, 10, 72), "float16"), W: T.Buffer((48, 72), "float16"), Y: T.Buffer((2, 6, 10, 48), "float32")):
    for n, h, w, o, c in T.grid(2, 6, 10, 48, 72):
        with T.block("Y"):
            vn, vh, vw, vo, vc = T.axis.remap("SSSSR", [n, h, w, o, c])
            T.reads(X[vn, vh, vw, vc], W[vo, vc])
            T.writes(Y[vn, vh, vw, vo])
            with T.init():
                Y[vn, vh, vw, vo] = T.float32(0.0)
            Y[vn, vh, vw, vo] = Y[vn, vh, vw, vo] + T.Cast("float32", X[vn, vh, vw, vc]) * T.Cast("float32", W[vo, vc])
