@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    T.evaluate(0)
