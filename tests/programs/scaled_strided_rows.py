@T.prim_func
def main(a: T.handle, b: T.handle, alpha: T.float32):
    n = T.int32()
    m = T.int32()
    s = T.int32()
    A = T.match_buffer(a, (n, m), "float32", strides=(s, 1))
    B = T.match_buffer(b, (n, m), "float32")
    for i, j in T.grid(n, m):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * alpha
