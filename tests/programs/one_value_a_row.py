from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((4, 64), "float32"), Z: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("Z"):
            vi = T.axis.spatial(4, i)
            Z[vi] = $VALUE
