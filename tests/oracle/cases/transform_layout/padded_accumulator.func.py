from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((33, 20), "int8"), B: T.Buffer((20, 50), "int8"), C: T.Buffer((33, 50), "int32")):
    for i, j, k in T.grid(33, 50, 20):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.int32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vk, vj])
