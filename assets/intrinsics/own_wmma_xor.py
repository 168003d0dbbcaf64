# Of bits, the number of those in which a row of the first factor and a column of the second differ: TVM's tvm_bmma_sync.
from tvm.script import tir as T

EXECUTION = "warp"
M = 8
N = 8
FORMS = {
    "": {"first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk], "value": C[vi, vj] + T.Cast("int32", T.bitwise_xor(A[vi, vk], B[vj, vk]))},
    "_commuted": {"first": B[0:N, 0:K], "second": A[0:M, 0:K], "one": B[vj, vk], "two": A[vi, vk], "value": C[vi, vj] + T.Cast("int32", T.bitwise_xor(B[vj, vk], A[vi, vk]))},
}
INTRINSICS = {
    "wmma_xor_8x8x128_b1b1s32_trans": {"K": 128, "element": "uint1"},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), element, scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (N, K), element, scope="wmma.matrix_b", offset_factor=K)
    C = T.match_buffer(c, (M, N), "int32", scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], first, second)
        T.writes(C[0:M, 0:N])
        for i, j, k in T.grid(M, N, K):
            with T.block(""):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(C[vi, vj], one, two)
                T.writes(C[vi, vj])
                C[vi, vj] = value


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    a1 = T.int32()
    a0 = T.int32()
    b1 = T.int32()
    b0 = T.int32()
    c1 = T.int32()
    c0 = T.int32()
    A = T.match_buffer(a, (M, K), element, strides=(a1, a0), scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (N, K), element, strides=(b1, b0), scope="wmma.matrix_b", offset_factor=K)
    C = T.match_buffer(c, (M, N), "int32", strides=(c1, c0), scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], A[0:M, 0:K], B[0:N, 0:K])
        T.writes(C[0:M, 0:N])
        T.tvm_bmma_sync(
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N,
            A.data, A.elem_offset // a1 // M * (a1 // K) + A.elem_offset % a1 // K,
            B.data, B.elem_offset // b1 // N * (b1 // K) + B.elem_offset % b1 // K,
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N)
