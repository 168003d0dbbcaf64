from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((6, 33), "float32"), D: T.Buffer((6, 33), "float32")):
    B = T.alloc_buffer((6, 33))
    for i in T.serial(2, 6):
        for j in range(33):
            with T.block("B"):
                vi = T.axis.spatial((2, 6), i)
                vj = T.axis.spatial(33, j)
                B[vi, vj] = A[vi, vj] * T.float32(3)
    for i in T.serial(2, 6):
        for j in range(33):
            with T.block("D"):
                vi = T.axis.spatial((2, 6), i)
                vj = T.axis.spatial(33, j)
                D[vi, vj] = B[vi, vj] + T.float32(1)
