from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((256, 96), "float16"), B: T.Buffer((128, 96), "float16"), C: T.Buffer((256, 128), "float16")):
    for i, j, k in T.grid(256, 128, 96):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float16(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
