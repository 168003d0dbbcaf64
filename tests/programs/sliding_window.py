@T.prim_func
def main(A: T.Buffer((19,), "float32"), B: T.Buffer((16,), "float32")):
    for i, r in T.grid(16, 4):
        with T.block("B"):
            vi, vr = T.axis.remap("SR", [i, r])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi + vr]
