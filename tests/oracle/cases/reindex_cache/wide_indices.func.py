from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((T.int64(96), T.int64(60)), "float32"), C: T.Buffer((T.int64(96), T.int64(60)), "float32")):
    B = T.alloc_buffer((T.int64(96), T.int64(60)), "float32")
    for i, j in T.grid(T.int64(96), T.int64(60)):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(T.int64(96), T.int64(60)):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
