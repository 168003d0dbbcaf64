@T.prim_func
def main(a: T.handle, alpha: T.float32, b: T.handle):
    n = T.$TYPE()
    A = T.match_buffer(a, ($EXTENT,), "float32")
    B = T.match_buffer(b, ($EXTENT,), "float32")
    for i in T.serial($EXTENT):
        with T.block("B"):
            vi = T.axis.spatial($EXTENT, i)
            B[vi] = A[vi] * alpha
