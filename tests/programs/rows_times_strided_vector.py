@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (24, 32), "float32")
    B = T.match_buffer(b, (32,), "float32", strides=($OF_B,), elem_offset=4)
    C = T.match_buffer(c, (24,), "float32", strides=($OF_C,), elem_offset=$START_OF_C)
    for i, k in T.grid(24, 32):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vk] * B[vk]
