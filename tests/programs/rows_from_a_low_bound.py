@T.prim_func
def main(X: T.Buffer((48, 200), "float32"), Y: T.Buffer((48,), "float32")):
    for i, k in T.grid(48, 200):
        with T.block("Y"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(X[vi, vk])
            T.writes(Y[vi])
            with T.init():
                Y[vi] = T.float32(-100.0)
            Y[vi] = T.max(Y[vi], X[vi, vk])
