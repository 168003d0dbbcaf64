from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32"), C: T.Buffer((10,), "float32")):
    X = T.alloc_buffer((10,), "float32")
    for i in range(10):
        with T.block("P"):
            vi = T.axis.spatial(10, i)
            X[vi] = A[vi] * T.float32(2)
        with T.block("Y"):
            vi = T.axis.spatial(10, i)
            C[vi] = T.if_then_else(3 < vi, X[vi], T.float32(0)) + B[vi]
