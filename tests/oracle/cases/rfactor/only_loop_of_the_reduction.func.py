from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((16, 64, 64), "int8"), s: T.Buffer((64,), "int32")):
    for b, i, j in T.grid(16, 64, 64):
        with T.block("s"):
            vb, vi, vj = T.axis.remap("RSR", [b, i, j])
            with T.init():
                s[vi] = 0
            s[vi] = s[vi] + T.Cast("int32", A[vb, vi, vj]) * 2
