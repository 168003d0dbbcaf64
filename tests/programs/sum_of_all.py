@T.prim_func
def main(X: T.Buffer((60, 100), "float32"), Y: T.Buffer((1,), "float32")):
    for o, i, k in T.grid(1, 60, 100):
        with T.block("Y"):
            vo, vi, vk = T.axis.remap("SRR", [o, i, k])
            with T.init():
                Y[vo] = T.float32(0)
            Y[vo] = Y[vo] + X[vi, vk]
