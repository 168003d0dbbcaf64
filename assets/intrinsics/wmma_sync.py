# Multiplies two fragments and adds the product to a third: nvcuda::wmma::mma_sync.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
INTRINSICS = {
    "wmma_sync_16x16x16_f16f16f32": {"element": "float16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_16x16x16_f16f16f16": {"element": "float16", "acc": T.float16, "acc_type": "float16"},
    "wmma_sync_16x16x16_s8s8s32": {"element": "int8", "acc": T.int32, "acc_type": "int32"},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), element, scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (K, N), element, scope="wmma.matrix_b", offset_factor=N)
    C = T.match_buffer(c, (M, N), acc_type, scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], A[0:M, 0:K], B[0:K, 0:N])
        T.writes(C[0:M, 0:N])
        for i, j, k in T.grid(M, N, K):
            with T.block(""):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                C[vi, vj] = C[vi, vj] + acc(A[vi, vk]) * acc(B[vk, vj])


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
