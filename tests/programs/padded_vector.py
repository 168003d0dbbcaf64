@T.prim_func
def main(A: T.Buffer((100,), "float32"), D: T.Buffer((100,), "float32")):
    P = T.alloc_buffer((128,), "float32")
    Q = T.alloc_buffer((128,), "float32")
    for i in range(128):
        with T.block("P"):
            vi = T.axis.spatial(128, i)
            P[vi] = T.if_then_else(vi < 100, A[vi], T.float32(0))
    for i in range(128):
        with T.block("Q"):
            vi = T.axis.spatial(128, i)
            Q[vi] = P[vi] * T.float32(2)
    for i in range(100):
        with T.block("D"):
            vi = T.axis.spatial(100, i)
            D[vi] = Q[vi]
