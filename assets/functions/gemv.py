from tvm.script import tir as T

M = 4096
K = 4096


@T.prim_func
def gemv(A: T.Buffer((M, K), "float16"), x: T.Buffer((K,), "float16"), y: T.Buffer((M,), "float32")):
    for i, k in T.grid(M, K):
        with T.block("y"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                y[vi] = T.float32(0)
            y[vi] = y[vi] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", x[vk])
