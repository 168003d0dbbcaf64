from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 32, 16), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    for i, k, l in T.grid(64, 32, 16):
        with T.block("B"):
            vi, vk, vl = T.axis.remap("SRR", [i, k, l])
            T.reads(A[vi, vk, vl])
            T.writes(B[vi], C[vi])
            with T.init():
                B[vi] = T.float32(0)
                C[vi] = T.float32(0)
            v_B: T.float32 = B[vi] + A[vi, vk, vl]
            v_C: T.float32 = C[vi] + A[vi, vk, vl] * A[vi, vk, vl]
            B[vi] = v_B
            C[vi] = v_C
