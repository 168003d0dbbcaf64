@T.prim_func
def main(
    X: T.Buffer((2, 24, 9, 18), "float16"),
    W: T.Buffer((40, 24, 3, 3), "float16"),
    Y: T.Buffer((2, 40, 7, 16), "float32"),
):
    for n, o, h, w, c, r, s in T.grid(2, 40, 7, 16, 24, 3, 3):
        with T.block("Y"):
            vn, vo, vh, vw, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, h, w, c, r, s])
            with T.init():
                Y[vn, vo, vh, vw] = T.float32(0)
            Y[vn, vo, vh, vw] = Y[vn, vo, vh, vw] + T.Cast("float32", X[vn, vc, vh + vr, vw + vs]) * T.Cast(
                "float32", W[vo, vc, vr, vs]
            )
