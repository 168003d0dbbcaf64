from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def bmm(A: T.Buffer((2, 32, 16), "float16"), B: T.Buffer((2, 32, 16), "float16"), C: T.Buffer((2, 32, 32), "float32")):
        # with T.block("root"):
        for b, i, j, k in T.grid(2, 32, 32, 16):
            with T.block("C"):
                vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
                T.reads(A[vb, vi, vk], B[vb, vj, vk])
                T.writes(C[vb, vi, vj])
                with T.init():
                    C[vb, vi, vj] = T.float32(0.0)
                C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("float32", A[vb, vi, vk]) * T.Cast("float32", B[vb, vj, vk])
