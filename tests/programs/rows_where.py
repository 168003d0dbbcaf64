@T.prim_func
def f(A: T.Buffer((64, 4, 4), "float32"), C: T.Buffer((64, 4, 4), "float32")):
    for i, k in T.grid(64, 4):
        for j in range($COLUMNS):
            with T.block("C"):
                vi, vk, vj = T.axis.remap("SSS", [i, k, j])
                T.where($CONDITION)
                C[vi, vk, vj] = A[vi, vk, vj]
