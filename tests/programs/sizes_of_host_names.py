@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle, alpha: T.float32):
    count = T.int32()
    stream = T.int32()
    A = T.match_buffer(a, (count, 16), "float16")
    B = T.match_buffer(b, (16, stream * 8), "float16")
    C = T.match_buffer(c, (count, stream * 8), "float32")
    for i, j, k in T.grid(count, stream * 8, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
