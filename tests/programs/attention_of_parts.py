from tvm.script import tir as T


@T.prim_func
def main(Q: T.Buffer((2, 64, 64), "float16"), K: T.Buffer((2, 64, 64), "float16"), V: T.Buffer((2, 64, 64), "float16"), O: T.Buffer((2, 64, 64), "float32")):
    s = T.alloc_buffer((2, 64, 64), "float32")
    m = T.alloc_buffer((2, 64), "float32")
    e = T.alloc_buffer((2, 64, 64), "float16")
    t = T.alloc_buffer((2, 64), "float32")
    o = T.alloc_buffer((2, 64, 64), "float32")
    for b, i, j, k in T.grid(2, 64, 64, 64):
        with T.block("s"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                s[vb, vi, vj] = T.float32(0)
            s[vb, vi, vj] = s[vb, vi, vj] + T.Cast("float32", Q[vb, vi, vk]) * T.Cast("float32", K[vb, vj, vk])
    for b, i, k in T.grid(2, 64, 64):
        with T.block("m"):
            vb, vi, vk = T.axis.remap("SSR", [b, i, k])
            with T.init():
                m[vb, vi] = T.min_value("float32")
            m[vb, vi] = T.max(m[vb, vi], s[vb, vi, vk])
    for b, i, j in T.grid(2, 64, 64):
        with T.block("e"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            e[vb, vi, vj] = T.Cast("float16", T.exp(s[vb, vi, vj] - m[vb, vi]))
    for b, i, k in T.grid(2, 64, 64):
        with T.block("t"):
            vb, vi, vk = T.axis.remap("SSR", [b, i, k])
            with T.init():
                t[vb, vi] = T.float32(0)
            t[vb, vi] = t[vb, vi] + T.Cast("float32", e[vb, vi, vk])
    for b, i, d, k in T.grid(2, 64, 64, 64):
        with T.block("o"):
            vb, vi, vd, vk = T.axis.remap("SSSR", [b, i, d, k])
            with T.init():
                o[vb, vi, vd] = T.float32(0)
            o[vb, vi, vd] = o[vb, vi, vd] + T.Cast("float32", e[vb, vi, vk]) * T.Cast("float32", V[vb, vk, vd])
    for b, i, d in T.grid(2, 64, 64):
        with T.block("O"):
            vb, vi, vd = T.axis.remap("SSS", [b, i, d])
            O[vb, vi, vd] = o[vb, vi, vd] / t[vb, vi]
