from tvm.script import tir as T

M = 4096
N = 512


@T.prim_func
def scan(X: T.Buffer((M, N), "float16"), Y: T.Buffer((M, N), "float32")):
    ones = T.alloc_buffer((N, N), "float16")
    for j, k in T.grid(N, N):
        with T.block("ones"):
            vj, vk = T.axis.remap("SS", [j, k])
            ones[vj, vk] = T.if_then_else(vk <= vj, T.float16(1), T.float16(0))
    for i, j, k in T.grid(M, N, N):
        with T.block("Y"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                Y[vi, vj] = T.float32(0)
            Y[vi, vj] = Y[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", ones[vj, vk])
