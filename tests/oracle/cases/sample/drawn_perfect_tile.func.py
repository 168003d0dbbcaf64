from tvm.script import tir as T


@T.prim_func
def main(A0: T.Buffer((64,), "float32"), B0: T.Buffer((64,), "float32"), A1: T.Buffer((1024,), "float32"), B1: T.Buffer((1024,), "float32"), A2: T.Buffer((1000,), "float32"), B2: T.Buffer((1000,), "float32"), A3: T.Buffer((4096,), "float32"), B3: T.Buffer((4096,), "float32"), A4: T.Buffer((720,), "float32"), B4: T.Buffer((720,), "float32"), A5: T.Buffer((1,), "float32"), B5: T.Buffer((1,), "float32"), A6: T.Buffer((7,), "float32"), B6: T.Buffer((7,), "float32"), A7: T.Buffer((6144,), "float32"), B7: T.Buffer((6144,), "float32"), A8: T.Buffer((97,), "float32"), B8: T.Buffer((97,), "float32"), A9: T.Buffer((12,), "float32"), B9: T.Buffer((12,), "float32")):
    for i in range(64):
        with T.block("B0"):
            vi = T.axis.remap("S", [i])
            B0[vi] = A0[vi] + T.float32(1)
    for i in range(1024):
        with T.block("B1"):
            vi = T.axis.remap("S", [i])
            B1[vi] = A1[vi] + T.float32(1)
    for i in range(1000):
        with T.block("B2"):
            vi = T.axis.remap("S", [i])
            B2[vi] = A2[vi] + T.float32(1)
    for i in range(4096):
        with T.block("B3"):
            vi = T.axis.remap("S", [i])
            B3[vi] = A3[vi] + T.float32(1)
    for i in range(720):
        with T.block("B4"):
            vi = T.axis.remap("S", [i])
            B4[vi] = A4[vi] + T.float32(1)
    for i in range(1):
        with T.block("B5"):
            vi = T.axis.remap("S", [i])
            B5[vi] = A5[vi] + T.float32(1)
    for i in range(7):
        with T.block("B6"):
            vi = T.axis.remap("S", [i])
            B6[vi] = A6[vi] + T.float32(1)
    for i in range(6144):
        with T.block("B7"):
            vi = T.axis.remap("S", [i])
            B7[vi] = A7[vi] + T.float32(1)
    for i in range(97):
        with T.block("B8"):
            vi = T.axis.remap("S", [i])
            B8[vi] = A8[vi] + T.float32(1)
    for i in range(12):
        with T.block("B9"):
            vi = T.axis.remap("S", [i])
            B9[vi] = A9[vi] + T.float32(1)
