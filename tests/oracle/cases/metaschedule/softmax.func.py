from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def softmax(X: T.Buffer((64, 256), "float32"), Y: T.Buffer((64, 256), "float32")):
        # with T.block("root"):
        largest = T.alloc_buffer((64,))
        exponential = T.alloc_buffer((64, 256))
        total = T.alloc_buffer((64,))
        for i, k in T.grid(64, 256):
            with T.block("largest"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(X[vi, vk])
                T.writes(largest[vi])
                with T.init():
                    largest[vi] = T.float32(-340282346638528859811704183484516925440.0)
                largest[vi] = T.max(largest[vi], X[vi, vk])
        for i, j in T.grid(64, 256):
            with T.block("exponential"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(X[vi, vj], largest[vi])
                T.writes(exponential[vi, vj])
                exponential[vi, vj] = T.exp(X[vi, vj] - largest[vi])
        for i, k in T.grid(64, 256):
            with T.block("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(exponential[vi, vk])
                T.writes(total[vi])
                with T.init():
                    total[vi] = T.float32(0.0)
                total[vi] = total[vi] + exponential[vi, vk]
        for i, j in T.grid(64, 256):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(exponential[vi, vj], total[vi])
                T.writes(Y[vi, vj])
                Y[vi, vj] = exponential[vi, vj] / total[vi]
