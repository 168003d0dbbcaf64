from tvm.script import tir as T

M = 4096
N = 4096


@T.prim_func
def softmax(X: T.Buffer((M, N), "float32"), Y: T.Buffer((M, N), "float32")):
    largest = T.alloc_buffer((M,), "float32")
    exponential = T.alloc_buffer((M, N), "float32")
    total = T.alloc_buffer((M,), "float32")
    for i, k in T.grid(M, N):
        with T.block("largest"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                largest[vi] = T.min_value("float32")
            largest[vi] = T.max(largest[vi], X[vi, vk])
    for i, j in T.grid(M, N):
        with T.block("exponential"):
            vi, vj = T.axis.remap("SS", [i, j])
            exponential[vi, vj] = T.exp(X[vi, vj] - largest[vi])
    for i, k in T.grid(M, N):
        with T.block("total"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                total[vi] = T.float32(0)
            total[vi] = total[vi] + exponential[vi, vk]
    for i, j in T.grid(M, N):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            Y[vi, vj] = exponential[vi, vj] / total[vi]
