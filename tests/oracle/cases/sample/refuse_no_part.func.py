from tvm.script import tir as T


@T.prim_func
def main(A0: T.Buffer((64,), "float32"), B0: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("B0"):
            vi = T.axis.remap("S", [i])
            B0[vi] = A0[vi] + T.float32(1)
