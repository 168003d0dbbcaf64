@T.prim_func
def main(a: T.handle, C: T.Buffer((4, 4), "float32")):
    s0 = T.int32()
    A = T.match_buffer(a, (4, 4), "float32", $HOW)
    for i, j in T.grid(4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj]
