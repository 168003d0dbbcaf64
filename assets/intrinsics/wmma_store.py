# Stores an accumulator fragment to memory, row by row: nvcuda::wmma::store_matrix_sync.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
INTRINSICS = {
    "wmma_store_16x16x16_f32_global": {"element": "float32", "target": "global"},
    "wmma_store_16x16x16_f32_shared": {"element": "float32", "target": "shared"},
    "wmma_store_16x16x16_f32_shared_dyn": {"element": "float32", "target": "shared.dyn"},
    "wmma_store_16x16x16_f16_global": {"element": "float16", "target": "global"},
    "wmma_store_16x16x16_f16_shared": {"element": "float16", "target": "shared"},
    "wmma_store_16x16x16_f16_shared_dyn": {"element": "float16", "target": "shared.dyn"},
    "wmma_store_16x16x16_s32_global": {"element": "int32", "target": "global"},
    "wmma_store_16x16x16_s32_shared": {"element": "int32", "target": "shared"},
    "wmma_store_16x16x16_s32_shared_dyn": {"element": "int32", "target": "shared.dyn"},
    "wmma_store_8x8x32_s32_global": {"M": 8, "N": 8, "K": 32, "element": "int32", "target": "global"},
    "wmma_store_8x8x32_s32_shared": {"M": 8, "N": 8, "K": 32, "element": "int32", "target": "shared"},
    "wmma_store_8x8x32_s32_shared_dyn": {"M": 8, "N": 8, "K": 32, "element": "int32", "target": "shared.dyn"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, N), element, scope="wmma.accumulator", offset_factor=N)
    C = T.match_buffer(c, (M, N), element, scope=target, offset_factor=N)
    with T.block("root"):
        T.reads(A[0:M, 0:N])
        T.writes(C[0:M, 0:N])
        for i, j in T.grid(M, N):
            with T.block("store"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    s1 = T.int32()
    s0 = T.int32()
    d1 = T.int32()
    d0 = T.int32()
    A = T.match_buffer(a, (M, N), element, strides=(d1, d0), scope="wmma.accumulator", offset_factor=N)
    C = T.match_buffer(c, (M, N), element, strides=(s1, s0), scope=target, offset_factor=N)
    with T.block("root"):
        T.reads(A[0:M, 0:N])
        T.writes(C[0:M, 0:N])
        T.tvm_store_matrix_sync(A.data, M, N, K, A.elem_offset // d1 // M * (d1 // N) + A.elem_offset % d1 // N, T.tvm_access_ptr(T.type_annotation(element), C.data, C.elem_offset, s1 * M, 2), s1, "row_major")
