from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((4096, 4096), "float16"), Y: T.Buffer((4096, 4096), "float16"), Z: T.Buffer((4096, 4096), "float32")):
    for i, j, k in T.grid(4096, 4096, 4096):
        with T.block("Z"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Z[vi, vj] = T.float32(0)
            Z[vi, vj] = Z[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", Y[vj, vk])
