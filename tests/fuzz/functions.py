"""Small TVMScript functions with random extents."""

EXTENTS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 31, 32, 33, 48, 60, 64, 100]


def script(parameters, body):
    lines = "\n".join("    " + line for line in body.strip("\n").splitlines())
    return f"@T.prim_func\ndef main({parameters}):\n{lines}\n"


def buffer(name, shape, dtype="float32"):
    return f'{name}: T.Buffer(({", ".join(map(str, shape))}{"," if len(shape) == 1 else ""}), "{dtype}")'


def matmul(pick):
    m, n, k = pick(), pick(), pick()
    return script(
        ", ".join([buffer("A", (m, k)), buffer("B", (k, n)), buffer("C", (m, n))]),
        f"""
for i, j, k in T.grid({m}, {n}, {k}):
    with T.block("C"):
        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
        with T.init():
            C[vi, vj] = T.float32(0)
        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""",
    )


def matmul_bias_relu(pick):
    m, n, k = pick(), pick(), pick()
    return script(
        ", ".join([buffer("A", (m, k)), buffer("B", (n, k)), buffer("bias", (n,)), buffer("D", (m, n))]),
        f"""
C = T.alloc_buffer(({m}, {n}))
E = T.alloc_buffer(({m}, {n}))
for i, j, k in T.grid({m}, {n}, {k}):
    with T.block("C"):
        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
        with T.init():
            C[vi, vj] = T.float32(0)
        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
for i, j in T.grid({m}, {n}):
    with T.block("E"):
        vi, vj = T.axis.remap("SS", [i, j])
        E[vi, vj] = C[vi, vj] + bias[vj]
for i, j in T.grid({m}, {n}):
    with T.block("D"):
        vi, vj = T.axis.remap("SS", [i, j])
        D[vi, vj] = T.max(E[vi, vj], T.float32(0))
""",
    )


def elementwise_chain(pick):
    m, n = pick(), pick()
    return script(
        ", ".join([buffer("A", (m, n)), buffer("D", (m, n))]),
        f"""
B = T.alloc_buffer(({m}, {n}))
C = T.alloc_buffer(({m}, {n}))
for i, j in T.grid({m}, {n}):
    with T.block("B"):
        vi, vj = T.axis.remap("SS", [i, j])
        B[vi, vj] = A[vi, vj] * T.float32(2)
for i, j in T.grid({m}, {n}):
    with T.block("C"):
        vi, vj = T.axis.remap("SS", [i, j])
        C[vi, vj] = B[vi, vj] + T.float32(1)
for i, j in T.grid({m}, {n}):
    with T.block("D"):
        vi, vj = T.axis.remap("SS", [i, j])
        D[vi, vj] = C[vi, vj] * B[vi, vj]
""",
    )


def row_sum(pick):
    m, n = pick(), pick()
    return script(
        ", ".join([buffer("A", (m, n)), buffer("C", (m, n))]),
        f"""
S = T.alloc_buffer(({m},))
for i, k in T.grid({m}, {n}):
    with T.block("S"):
        vi, vk = T.axis.remap("SR", [i, k])
        with T.init():
            S[vi] = T.float32(0)
        S[vi] = S[vi] + A[vi, vk]
for i, j in T.grid({m}, {n}):
    with T.block("C"):
        vi, vj = T.axis.remap("SS", [i, j])
        C[vi, vj] = A[vi, vj] / S[vi]
""",
    )


def transpose(pick):
    m, n = pick(), pick()
    return script(
        ", ".join([buffer("A", (m, n)), buffer("C", (n, m))]),
        f"""
B = T.alloc_buffer(({n}, {m}))
for i, j in T.grid({n}, {m}):
    with T.block("B"):
        vi, vj = T.axis.remap("SS", [i, j])
        B[vi, vj] = A[vj, vi]
for i, j in T.grid({n}, {m}):
    with T.block("C"):
        vi, vj = T.axis.remap("SS", [i, j])
        C[vi, vj] = B[vi, vj] + T.float32(1)
""",
    )


def stencil(pick):
    n = pick() + 4
    return script(
        ", ".join([buffer("A", (n,)), buffer("C", (n - 2,))]),
        f"""
B = T.alloc_buffer(({n},))
for i in range({n}):
    with T.block("B"):
        vi = T.axis.spatial({n}, i)
        B[vi] = A[vi] * T.float32(2)
for i in range({n - 2}):
    with T.block("C"):
        vi = T.axis.spatial({n - 2}, i)
        C[vi] = B[vi] + B[vi + 1] + B[vi + 2]
""",
    )


def padded_conv(pick):
    n, c, r = pick(), pick(), 3
    return script(
        ", ".join([buffer("A", (n, c)), buffer("W", (r, c)), buffer("C", (n,))]),
        f"""
P = T.alloc_buffer(({n + 2}, {c}))
for i, c in T.grid({n + 2}, {c}):
    with T.block("P"):
        vi, vc = T.axis.remap("SS", [i, c])
        P[vi, vc] = T.if_then_else(1 <= vi and vi < {n + 1}, A[vi - 1, vc], T.float32(0))
for i, r, c in T.grid({n}, {r}, {c}):
    with T.block("C"):
        vi, vr, vc = T.axis.remap("SRR", [i, r, c])
        with T.init():
            C[vi] = T.float32(0)
        C[vi] = C[vi] + P[vi + vr, vc] * W[vr, vc]
""",
    )


def batch_matmul(pick):
    b, m, n, k = min(pick(), 8), pick(), pick(), pick()
    return script(
        ", ".join([buffer("A", (b, m, k), "float16"), buffer("B", (b, k, n), "float16"), buffer("C", (b, m, n))]),
        f"""
for b, i, j, k in T.grid({b}, {m}, {n}, {k}):
    with T.block("C"):
        vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
        with T.init():
            C[vb, vi, vj] = T.float32(0)
        C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("float32", A[vb, vi, vk]) * T.Cast("float32", B[vb, vk, vj])
""",
    )


def wmma_matmul(pick):
    def tiles():
        return 16 * (1 + pick() % 4)

    m, n, k = tiles(), tiles(), tiles()
    return script(
        ", ".join([buffer("A", (m, k), "float16"), buffer("B", (n, k), "float16"), buffer("C", (m, n))]),
        f"""
for i, j, k in T.grid({m}, {n}, {k}):
    with T.block("C"):
        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
        with T.init():
            C[vi, vj] = T.float32(0)
        C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vj, vk])
""",
    )


ALL = [
    matmul, matmul, matmul_bias_relu, matmul_bias_relu, elementwise_chain, row_sum, transpose, stencil, padded_conv,
    batch_matmul, wmma_matmul,
]  # fmt: skip
