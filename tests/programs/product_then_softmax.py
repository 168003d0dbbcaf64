@T.prim_func
def main(A: T.Buffer((128, 96), "float16"), B: T.Buffer((200, 96), "float16"), Y: T.Buffer((128, 200), "float32")):
    C = T.alloc_buffer((128, 200))
    m = T.alloc_buffer((128,))
    s = T.alloc_buffer((128,))
    for i, j, k in T.grid(128, 200, 96):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vj, vk])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0.0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vj, vk])
    for i, k in T.grid(128, 200):
        with T.block("m"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(C[vi, vk])
            T.writes(m[vi])
            with T.init():
                m[vi] = T.min_value("float32")
            m[vi] = T.max(m[vi], C[vi, vk])
    for i, k in T.grid(128, 200):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(C[vi, vk], m[vi])
            T.writes(s[vi])
            with T.init():
                s[vi] = T.float32(0.0)
            s[vi] = s[vi] + T.exp(C[vi, vk] - m[vi])
    for i, j in T.grid(128, 200):
        with T.block("Y"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(C[vi, vj], m[vi], s[vi])
            T.writes(Y[vi, vj])
            Y[vi, vj] = T.exp(C[vi, vj] - m[vi]) / s[vi]
