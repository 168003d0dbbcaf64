from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((12, 4), "float32"), C: T.Buffer((12, 4), "float32")):
    B = T.alloc_buffer((12, 4))
    for i in range(3):
        with T.block("B_o"):
            vi = T.axis.spatial(3, i)
            T.reads(A[vi * 4:vi * 4 + 4, 0:4])
            T.writes(B[vi * 4:vi * 4 + 4, 0:4])
            X = T.match_buffer(A[vi * 4:vi * 4 + 4, 0:4], (4, 4), offset_factor=1)
            Y = T.match_buffer(B[vi * 4:vi * 4 + 4, 0:4], (4, 4), offset_factor=1)
            for x, y in T.grid(4, 4):
                with T.block("B"):
                    vx, vy = T.axis.remap("SS", [x, y])
                    Y[vx, vy] = X[vx, vy] * T.float32(2)
    for i, j in T.grid(12, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
