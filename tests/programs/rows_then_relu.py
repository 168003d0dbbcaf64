from tvm.script import tir as T


@T.prim_func
def main(
    A: T.Buffer((136, 72), "float16"),
    B: T.Buffer((72, 200), "float16"),
    bias: T.Buffer((200,), "float32"),
    D: T.Buffer((136, 200), "float16"),
):
    C = T.alloc_buffer((136, 200), "float32")
    for i, j, k in T.grid(136, 200, 72):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])
    for i, j in T.grid(136, 200):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.float16(T.max(C[vi, vj] + bias[vj], T.float32(0)))
