@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (64, 32), "float32", strides=(40, 1))
    B = T.match_buffer(b, (64, 32), "float32", strides=(1, 64), elem_offset=4)
    C = T.match_buffer(c, (64, 64), "float32", strides=(1, 64), elem_offset=8)
    for i, j, k in T.grid(64, 64, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
