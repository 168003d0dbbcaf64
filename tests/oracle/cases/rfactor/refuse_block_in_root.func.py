from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64,), "float32"), D: T.Buffer((1,), "float32")):
    for i in range(64):
        for k in range(32):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
    with T.block("D"):
        vd = T.axis.spatial(1, 0)
        D[vd] = A[0, 0]
