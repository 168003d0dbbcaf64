@T.prim_func
def main(X: T.Buffer((3, 5003), "float32"), Y: T.Buffer((3,), "float32")):
    for i, k in T.grid(3, 5003):
        with T.block("Y"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                Y[vi] = T.min_value("float32")
            Y[vi] = T.max(Y[vi], X[vi, vk])
