from tvm.script import tir as T


@T.prim_func
def main(A0: T.Buffer((60,), "float32"), B0: T.Buffer((60,), "float32"), A1: T.Buffer((60,), "float32"), B1: T.Buffer((60,), "float32"), A2: T.Buffer((64,), "float32"), B2: T.Buffer((64,), "float32")):
    for i in range(60):
        with T.block("B0"):
            vi = T.axis.remap("S", [i])
            B0[vi] = A0[vi] + T.float32(1)
    for i in range(60):
        with T.block("B1"):
            vi = T.axis.remap("S", [i])
            B1[vi] = A1[vi] + T.float32(1)
    for i in range(64):
        with T.block("B2"):
            vi = T.axis.remap("S", [i])
            B2[vi] = A2[vi] + T.float32(1)
