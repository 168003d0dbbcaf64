from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((1, 9, 7, 3), "float32"), F: T.Buffer((5, 3, 3, 3), "float32"), Y: T.Buffer((1, 5, 4, 5), "float32")):
    pad = T.alloc_buffer((1, 11, 9, 3), "float32")
    for n, h, w, c in T.grid(1, 11, 9, 3):
        with T.block("pad"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            pad[vn, vh, vw, vc] = T.if_then_else(1 <= vh and vh < 10 and 1 <= vw and vw < 8, X[vn, vh - 1, vw - 1, vc], T.float32(0))
    for n, h, w, co, rh, rw, rc in T.grid(1, 5, 4, 5, 3, 3, 3):
        with T.block("conv"):
            vn, vh, vw, vco, vrh, vrw, vrc = T.axis.remap("SSSSRRR", [n, h, w, co, rh, rw, rc])
            with T.init():
                Y[vn, vh, vw, vco] = T.float32(0)
            Y[vn, vh, vw, vco] = Y[vn, vh, vw, vco] + pad[vn, vh * 2 + vrh, vw * 2 + vrw, vrc] * F[vco, vrh, vrw, vrc]
