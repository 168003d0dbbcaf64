# Products of fragments as wmma_sync.py and wmma_sync_trans.py have them, of programs that write them in another order:
# the second factor first, or the product before what it is added to. The hardware's operation is the same.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
INTRINSICS = {
    "wmma_sync_16x16x16_f16f16f32_commuted": {"element": "float16", "acc_type": "float32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": C[vi, vj] + T.float32(B[vk, vj]) * T.float32(A[vi, vk])},
    "wmma_sync_16x16x16_f16f16f32_sum_first": {"element": "float16", "acc_type": "float32", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vk, vj], "value": T.float32(A[vi, vk]) * T.float32(B[vk, vj]) + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f32_sum_first_commuted": {"element": "float16", "acc_type": "float32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": T.float32(B[vk, vj]) * T.float32(A[vi, vk]) + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f16_commuted": {"element": "float16", "acc_type": "float16", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": C[vi, vj] + B[vk, vj] * A[vi, vk]},
    "wmma_sync_16x16x16_f16f16f16_sum_first": {"element": "float16", "acc_type": "float16", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vk, vj], "value": A[vi, vk] * B[vk, vj] + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f16_sum_first_commuted": {"element": "float16", "acc_type": "float16", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": B[vk, vj] * A[vi, vk] + C[vi, vj]},
    "wmma_sync_16x16x16_s8s8s32_commuted": {"element": "int8", "acc_type": "int32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": C[vi, vj] + T.int32(B[vk, vj]) * T.int32(A[vi, vk])},
    "wmma_sync_16x16x16_s8s8s32_sum_first": {"element": "int8", "acc_type": "int32", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vk, vj], "value": T.int32(A[vi, vk]) * T.int32(B[vk, vj]) + C[vi, vj]},
    "wmma_sync_16x16x16_s8s8s32_sum_first_commuted": {"element": "int8", "acc_type": "int32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vk, vj], "two": A[vi, vk], "value": T.int32(B[vk, vj]) * T.int32(A[vi, vk]) + C[vi, vj]},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), element, scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (K, N), element, scope="wmma.matrix_b", offset_factor=N)
    C = T.match_buffer(c, (M, N), acc_type, scope="wmma.accumulator", offset_factor=N)
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
    B = T.match_buffer(b, (K, N), element, strides=(b1, b0), scope="wmma.matrix_b", offset_factor=N)
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], A[0:M, 0:K], B[0:K, 0:N])
        T.writes(C[0:M, 0:N])
        T.tvm_mma_sync(
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N,
            A.data, A.elem_offset // a1 // M * (a1 // K) + A.elem_offset % a1 // K,
            B.data, B.elem_offset // b1 // K * (b1 // N) + B.elem_offset % b1 // N,
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N)


INTRINSICS = {
    "wmma_sync_16x16x16_f16f16f32_trans_commuted": {"element": "float16", "acc_type": "float32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": C[vi, vj] + T.float32(B[vj, vk]) * T.float32(A[vi, vk])},
    "wmma_sync_16x16x16_f16f16f32_trans_sum_first": {"element": "float16", "acc_type": "float32", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vj, vk], "value": T.float32(A[vi, vk]) * T.float32(B[vj, vk]) + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f32_trans_sum_first_commuted": {"element": "float16", "acc_type": "float32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": T.float32(B[vj, vk]) * T.float32(A[vi, vk]) + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f16_trans_commuted": {"element": "float16", "acc_type": "float16", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": C[vi, vj] + B[vj, vk] * A[vi, vk]},
    "wmma_sync_16x16x16_f16f16f16_trans_sum_first": {"element": "float16", "acc_type": "float16", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vj, vk], "value": A[vi, vk] * B[vj, vk] + C[vi, vj]},
    "wmma_sync_16x16x16_f16f16f16_trans_sum_first_commuted": {"element": "float16", "acc_type": "float16", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": B[vj, vk] * A[vi, vk] + C[vi, vj]},
    "wmma_sync_16x16x16_s8s8s32_trans_commuted": {"element": "int8", "acc_type": "int32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": C[vi, vj] + T.int32(B[vj, vk]) * T.int32(A[vi, vk])},
    "wmma_sync_16x16x16_s8s8s32_trans_sum_first": {"element": "int8", "acc_type": "int32", "first": A[0:16, 0:16], "second": B[0:16, 0:16], "one": A[vi, vk], "two": B[vj, vk], "value": T.int32(A[vi, vk]) * T.int32(B[vj, vk]) + C[vi, vj]},
    "wmma_sync_16x16x16_s8s8s32_trans_sum_first_commuted": {"element": "int8", "acc_type": "int32", "first": B[0:16, 0:16], "second": A[0:16, 0:16], "one": B[vj, vk], "two": A[vi, vk], "value": T.int32(B[vj, vk]) * T.int32(A[vi, vk]) + C[vi, vj]},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), element, scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (N, K), element, scope="wmma.matrix_b", offset_factor=K)
    C = T.match_buffer(c, (M, N), acc_type, scope="wmma.accumulator", offset_factor=N)
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
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], A[0:M, 0:K], B[0:N, 0:K])
        T.writes(C[0:M, 0:N])
        T.tvm_mma_sync(
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N,
            A.data, A.elem_offset // a1 // M * (a1 // K) + A.elem_offset % a1 // K,
            B.data, B.elem_offset // b1 // N * (b1 // K) + B.elem_offset % b1 // K,
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N)
