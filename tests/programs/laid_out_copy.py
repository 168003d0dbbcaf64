@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 6), "float32"$OF_A)
    B = T.match_buffer(b, (4, 6), "float32"$OF_B)
    for i, j in T.grid(4, 6):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[$INDEX] + T.float32(1)
