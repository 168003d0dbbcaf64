from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((60, 300), "float32"), y: T.Buffer((60,), "float32")):
    for i, k in T.grid(60, 300):
        with T.block("y"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                y[vi] = T.float32(0)
            y[vi] = y[vi] + A[vi, vk]
