@T.prim_func
def main(X: T.Buffer((128, 192), "float16"), W: T.Buffer((176, 192), "float16"), V: T.Buffer((176, 192), "float16"), Y: T.Buffer((128, 176), "float16")):
    g = T.alloc_buffer((128, 176))
    u = T.alloc_buffer((128, 176))
    for i, j, k in T.grid(128, 176, 192):
        with T.block("g"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(X[vi, vk], W[vj, vk])
            T.writes(g[vi, vj])
            with T.init():
                g[vi, vj] = T.float32(0.0)
            g[vi, vj] = g[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", W[vj, vk])
    for i, j, k in T.grid(128, 176, 192):
        with T.block("u"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(X[vi, vk], V[vj, vk])
            T.writes(u[vi, vj])
            with T.init():
                u[vi, vj] = T.float32(0.0)
            u[vi, vj] = u[vi, vj] + T.Cast("float32", X[vi, vk]) * T.Cast("float32", V[vj, vk])
    for i, j in T.grid(128, 176):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(g[vi, vj], u[vi, vj])
            T.writes(Y[vi, vj])
            Y[vi, vj] = T.Cast("float16", g[vi, vj] / (T.float32(1.0) + T.exp(T.float32(0.0) - g[vi, vj])) * u[vi, vj])
