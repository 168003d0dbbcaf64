@T.prim_func
def main(X: T.Buffer((2, 48, 8, 24), "float16"), W: T.Buffer((128, 48, 1, 1), "float16"), Y: T.Buffer((2, 128, 8, 24), "float32")):
    for n, o, h, w, c, r, s in T.grid(2, 128, 8, 24, 48, 1, 1):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            T.reads(X[vn, vc, vh + vr, vw + vs], W[vo, vc, vr, vs])
            T.writes(Y[vn, vo, vh, vw])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0.0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", X[vn, vc, vh + vr, vw + vs]) * T.Cast("float32", W[vo, vc, vr, vs])
