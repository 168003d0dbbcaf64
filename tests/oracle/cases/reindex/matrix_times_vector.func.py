from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((100, 70), "float16"), x: T.Buffer((70,), "float16"), y: T.Buffer((100,), "float32")):
    for i, k in T.grid(100, 70):
        with T.block("y"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                y[vi] = T.float32(0)
            y[vi] = y[vi] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", x[vk])
