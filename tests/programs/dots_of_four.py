@T.prim_func
def main(A: T.Buffer((8, 64), "$OF_A"), B: T.Buffer((8, 64), "$OF_B"), C: T.Buffer((8,), "$SUM")):
    for i, k in T.grid(8, 16):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.$SUM(0)
            C[vi] = C[vi] + T.call_pure_extern("$SUM", "__dp4a", A[vi, vk * 4:vk * 4 + 4], B[vi, vk * 4:vk * 4 + 4], T.uint32(0))
