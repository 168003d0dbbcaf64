@T.prim_func
def main(p: T.handle, B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.float32(1)
