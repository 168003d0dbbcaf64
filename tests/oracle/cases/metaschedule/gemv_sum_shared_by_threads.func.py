from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def gemv(A: T.Buffer((256, 256), "float16"), x: T.Buffer((256,), "float16"), y: T.Buffer((256,), "float32")):
        # with T.block("root"):
        for i, k in T.grid(256, 256):
            with T.block("y"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk], x[vk])
                T.writes(y[vi])
                with T.init():
                    y[vi] = T.float32(0.0)
                y[vi] = y[vi] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", x[vk])
