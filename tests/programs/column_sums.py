@T.prim_func
def main(X: T.Buffer((300, 200), "float32"), Y: T.Buffer((200,), "float32")):
    for j, k in T.grid(200, 300):
        with T.block("Y"):
            vj, vk = T.axis.remap("SR", [j, k])
            with T.init():
                Y[vj] = T.float32(0)
            Y[vj] = Y[vj] + X[vk, vj]
