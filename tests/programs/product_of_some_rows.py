from tvm.script import tir as T


@T.prim_func
def main(a: T.handle, B: T.Buffer((64, 64), "float16"), c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 64), "float16")
    C = T.match_buffer(c, (n, 64), "float32")
    for i, j, k in T.grid(n, 64, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])
