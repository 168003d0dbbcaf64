@T.prim_func
def main(X: T.Buffer((4099, 1027), "float32"), Y: T.Buffer((1027,), "float32")):
    for j, k in T.grid(1027, 4099):
        with T.block("Y"):
            vj, vk = T.axis.remap("SR", [j, k])
            with T.init():
                Y[vj] = T.float32(0)
            Y[vj] = Y[vj] + X[vk, vj]
