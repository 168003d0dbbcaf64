@T.prim_func
def main(X: T.Buffer((192, 136), "float16"), W: T.Buffer((264, 136), "float16"), b1: T.Buffer((264,), "float32"), V: T.Buffer((96, 264), "float16"), b2: T.Buffer((96,), "float32"), Y: T.Buffer((192, 96), "float32")):
    h = T.alloc_buffer((192, 264))
    g = T.alloc_buffer((192, 264), "float16")
    z = T.alloc_buffer((192, 96))
    for i, j, k in T.grid(192, 264, 136):
        with T.block("h"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(X[vi, vk], W[vj, vk])
            T.writes(h[vi, vj])
            with T.init():
                h[vi, vj] = T.float32(0.0)
            h[vi, vj] = h[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", W[vj, vk])
    for i, j in T.grid(192, 264):
        with T.block("g"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(h[vi, vj], b1[vj])
            T.writes(g[vi, vj])
            g[vi, vj] = T.Cast("float16", T.max(h[vi, vj] + b1[vj], T.float32(0.0)))
    for i, j, k in T.grid(192, 96, 264):
        with T.block("z"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(g[vi, vk], V[vj, vk])
            T.writes(z[vi, vj])
            with T.init():
                z[vi, vj] = T.float32(0.0)
            z[vi, vj] = z[vi, vj] + T.Cast("float32", g[vi, vk]) * T.Cast("float32", V[vj, vk])
    for i, j in T.grid(192, 96):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(z[vi, vj], b2[vj])
            T.writes(Y[vi, vj])
            Y[vi, vj] = z[vi, vj] + b2[vj]
