from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((512, 1024), "float16"), Y: T.Buffer((1024, 256), "float16"), Z: T.Buffer((512, 256), "float32")):
    for i, j, k in T.grid(512, 256, 1024):
        with T.block("Z"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Z[vi, vj] = T.float32(0)
            Z[vi, vj] = Z[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", Y[vk, vj])
