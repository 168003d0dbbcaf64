@T.prim_func
def main(
    X: T.Buffer((2, 8, 9, 16), "float32"),
    W: T.Buffer((3, 16, 40), "float32"),
    Y: T.Buffer((2, 8, 7, 40), "float32"),
):
    for n, h, w, o, s, c in T.grid(2, 8, 7, 40, 3, 16):
        with T.block("Y"):
            vn, vh, vw, vo, vs, vc = T.axis.remap("SSSSRR", [n, h, w, o, s, c])
            with T.init():
                Y[vn, vh, vw, vo] = T.float32(0)
            Y[vn, vh, vw, vo] = Y[vn, vh, vw, vo] + T.abs(X[vn, vh, vw + vs, vc] - W[vs, vc, vo])
