from tvm.script import tir as T


@T.prim_func
def main(A0: T.Buffer((64,), "float32"), B0: T.Buffer((64,), "float32"), A1: T.Buffer((128,), "float32"), B1: T.Buffer((128,), "float32"), A2: T.Buffer((96,), "float32"), B2: T.Buffer((96,), "float32"), A3: T.Buffer((720,), "float32"), B3: T.Buffer((720,), "float32"), A4: T.Buffer((512,), "float32"), B4: T.Buffer((512,), "float32"), A5: T.Buffer((60,), "float32"), B5: T.Buffer((60,), "float32"), A6: T.Buffer((1024,), "float32"), B6: T.Buffer((1024,), "float32"), A7: T.Buffer((49,), "float32"), B7: T.Buffer((49,), "float32")):
    for i in range(64):
        with T.block("B0"):
            vi = T.axis.remap("S", [i])
            B0[vi] = A0[vi] + T.float32(1)
    for i in range(128):
        with T.block("B1"):
            vi = T.axis.remap("S", [i])
            B1[vi] = A1[vi] + T.float32(1)
    for i in range(96):
        with T.block("B2"):
            vi = T.axis.remap("S", [i])
            B2[vi] = A2[vi] + T.float32(1)
    for i in range(720):
        with T.block("B3"):
            vi = T.axis.remap("S", [i])
            B3[vi] = A3[vi] + T.float32(1)
    for i in range(512):
        with T.block("B4"):
            vi = T.axis.remap("S", [i])
            B4[vi] = A4[vi] + T.float32(1)
    for i in range(60):
        with T.block("B5"):
            vi = T.axis.remap("S", [i])
            B5[vi] = A5[vi] + T.float32(1)
    for i in range(1024):
        with T.block("B6"):
            vi = T.axis.remap("S", [i])
            B6[vi] = A6[vi] + T.float32(1)
    for i in range(49):
        with T.block("B7"):
            vi = T.axis.remap("S", [i])
            B7[vi] = A7[vi] + T.float32(1)
