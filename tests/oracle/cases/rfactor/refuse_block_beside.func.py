from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((64, 256), "float32"), D: T.Buffer((64,), "float32")):
    B = T.alloc_buffer((64,))
    for i in range(64):
        for k in range(256):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(1)
                B[vi] = B[vi] * A[vi, vk]
        with T.block("D"):
            vi = T.axis.spatial(64, i)
            D[vi] = B[vi] + T.float32(1)
