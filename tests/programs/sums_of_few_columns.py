@T.prim_func
def main(X: T.Buffer((6000, 5), "float32"), Y: T.Buffer((5,), "float32")):
    for j, k in T.grid(5, 6000):
        with T.block("Y"):
            vj, vk = T.axis.remap("SR", [j, k])
            with T.init():
                Y[vj] = T.float32(0)
            Y[vj] = Y[vj] + X[vk, vj]
