@T.prim_func
def main(X: T.Buffer((3, 50, 72), "float16"), W: T.Buffer((72, 88), "float16"), bias: T.Buffer((88,), "float32"), Y: T.Buffer((3, 50, 88), "float16")):
    acc = T.alloc_buffer((3, 50, 88))
    for b, s, j, k in T.grid(3, 50, 88, 72):
        with T.block("acc"):
            vb, vs, vj, vk = T.axis.remap("SSSR", [b, s, j, k])
            T.reads(X[vb, vs, vk], W[vk, vj])
            T.writes(acc[vb, vs, vj])
            with T.init():
                acc[vb, vs, vj] = T.float32(0.0)
            acc[vb, vs, vj] = acc[vb, vs, vj] + T.Cast("float32", X[vb, vs, vk]) * T.Cast("float32", W[vk, vj])
    for b, s, j in T.grid(3, 50, 88):
        with T.block("Y"):
            vb, vs, vj = T.axis.remap("SSS", [b, s, j])
            T.reads(acc[vb, vs, vj], bias[vj])
            T.writes(Y[vb, vs, vj])
            Y[vb, vs, vj] = T.Cast("float16", acc[vb, vs, vj] + bias[vj])
