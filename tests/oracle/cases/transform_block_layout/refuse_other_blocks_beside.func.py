from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30, 20), "float32"), B: T.Buffer((4, 30, 20), "float32"), C: T.Buffer((4, 30, 20), "float32")):
    for s in range(4):
        for i, j in T.grid(30, 20):
            with T.block("B"):
                vs, vi, vj = T.axis.remap("SSS", [s, i, j])
                if vi < 20:
                    B[vs, vi, vj] = A[vi, vj]
        for i, j in T.grid(30, 20):
            with T.block("C"):
                vs, vi, vj = T.axis.remap("SSS", [s, i, j])
                C[vs, vi, vj] = T.if_then_else(vi < 8, B[vs, vi, vj], T.Select(vj < 4, B[vs, vi, vj], T.float32(2)))
