from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer((328, 200), "float16"),
    B: T.Buffer((200, 472), "float16"),
    R: T.Buffer((328, 472), "float16"),
    E: T.Buffer((328, 472), "float16"),
):
    C = T.alloc_buffer((328, 472), "float32")
    D = T.alloc_buffer((328, 472), "float32")
    for i, j, k in T.grid(328, 472, 200):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])
    for i, j in T.grid(328, 472):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = C[vi, vj] + T.float32(R[vi, vj])
    for i, j in T.grid(328, 472):
        with T.block("E"):
            vi, vj = T.axis.remap("SS", [i, j])
            E[vi, vj] = T.Cast("float16", T.max(D[vi, vj], T.float32(0)))
