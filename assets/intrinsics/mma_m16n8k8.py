# mma.sync of 16 x 8 x 8 with fragments that are addressed by rows and columns: they are filled with zeros, loaded with ldmatrix
# (four matrices of 8 x 8), multiplied and stored. A load brings the operands of two products (A) or four (B).
from tvm.script import tir as T

EXECUTION = "warp"
INTRINSICS = {
    "mma_init_m16n8k8_f16": {"element": "float16", "zero": T.float16(0)},
    "mma_init_m16n8k8_f32": {"element": "float32", "zero": T.float32(0)},
}


@T.prim_func
def desc(c: T.handle):
    dst = T.match_buffer(c, (16, 8), element, scope="m16n8k8.matrixC", offset_factor=1)
    with T.block("root"):
        T.reads()
        T.writes(dst[0:16, 0:8])
        for i, j in T.grid(16, 8):
            with T.block("init"):
                vi, vj = T.axis.remap("SS", [i, j])
                dst[vi, vj] = zero


@T.prim_func
def impl(c: T.handle):
    dst = T.match_buffer(c, (16, 8), element, scope="m16n8k8.matrixC", offset_factor=1)
    with T.block("root"):
        T.reads()
        T.writes(dst[0:16, 0:8])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            for b in range(2):
                for v in T.vectorized(2):
                    dst[b * 8 + tx // 4, tx % 4 * 2 + v] = zero


INTRINSICS = {
    "mma_load_m16n8k8_f16_A_shared_dyn": {"ROWS": 32, "COLUMNS": 8, "fragment": "m16n8k8.matrixA", "TRANSPOSED": False, "place": (dst.elem_offset // d0 // 32 * (d0 // 8) + dst.elem_offset % d0 // 8) * 8 + dst.elem_offset // d0 % 32 // 16 * 4, "row": tx * s0},
    "mma_load_m16n8k8_f16_B_shared_dyn": {"ROWS": 8, "COLUMNS": 32, "fragment": "m16n8k8.matrixB", "TRANSPOSED": True, "place": (dst.elem_offset // d0 // 8 * (d0 // 32) + dst.elem_offset % d0 // 32) * 8 + dst.elem_offset % d0 % 32 // 8 * 2, "row": tx % 8 * s0 + tx // 8 * 8},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    src = T.match_buffer(a, (ROWS, COLUMNS), "float16", scope="shared.dyn", offset_factor=1)
    dst = T.match_buffer(c, (ROWS, COLUMNS), "float16", scope=fragment, offset_factor=1)
    with T.block("root"):
        T.reads(src[0:ROWS, 0:COLUMNS])
        T.writes(dst[0:ROWS, 0:COLUMNS])
        for i, j in T.grid(ROWS, COLUMNS):
            with T.block("root"):
                vi, vj = T.axis.remap("SS", [i, j])
                dst[vi, vj] = src[vi, vj]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    d0 = T.int32()
    d1 = T.int32()
    src = T.match_buffer(a, (ROWS, COLUMNS), "float16", strides=(s0, s1), scope="shared.dyn", offset_factor=1)
    dst = T.match_buffer(c, (ROWS, COLUMNS), "float16", strides=(d0, d1), scope=fragment, offset_factor=1)
    with T.block("root"):
        T.reads(src[0:ROWS, 0:COLUMNS])
        T.writes(dst[0:ROWS, 0:COLUMNS])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_ldmatrix("float16", T.bool(TRANSPOSED), 4, ".b16", dst.data, place, T.tvm_access_ptr(T.type_annotation("float16"), src.data, src.elem_offset, s0 * ROWS, 1), row)


INTRINSICS = {
    "mma_sync_m16n8k8_f16f16f16": {"acc": T.float16, "acc_type": "float16"},
    "mma_sync_m16n8k8_f16f16f32": {"acc": T.float32, "acc_type": "float32"},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (16, 8), "float16", scope="m16n8k8.matrixA", offset_factor=1)
    B = T.match_buffer(b, (8, 8), "float16", scope="m16n8k8.matrixB", offset_factor=1)
    C = T.match_buffer(c, (16, 8), acc_type, scope="m16n8k8.matrixC", offset_factor=1)
    with T.block("root"):
        T.reads(C[0:16, 0:8], A[0:16, 0:8], B[0:8, 0:8])
        T.writes(C[0:16, 0:8])
        for i, j, k in T.grid(16, 8, 8):
            with T.block("m16n8k8_sync"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                C[vi, vj] = C[vi, vj] + acc(A[vi, vk]) * acc(B[vk, vj])


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    a0 = T.int32()
    a1 = T.int32()
    b0 = T.int32()
    b1 = T.int32()
    c0 = T.int32()
    c1 = T.int32()
    A = T.match_buffer(a, (16, 8), "float16", strides=(a0, a1), scope="m16n8k8.matrixA", offset_factor=1)
    B = T.match_buffer(b, (8, 8), "float16", strides=(b0, b1), scope="m16n8k8.matrixB", offset_factor=1)
    C = T.match_buffer(c, (16, 8), acc_type, strides=(c0, c1), scope="m16n8k8.matrixC", offset_factor=1)
    with T.block("root"):
        T.reads(C[0:16, 0:8], A[0:16, 0:8], B[0:8, 0:8])
        T.writes(C[0:16, 0:8])
        T.ptx_mma(acc_type, "m16n8k8", "row", "col", "float16", "float16", acc_type, A.data, (A.elem_offset // a0 // 32 * (a0 // 8) + A.elem_offset % a0 // 8) * 8 + A.elem_offset // a0 % 32 // 16 * 4, B.data, (B.elem_offset // b0 // 8 * (b0 // 32) + B.elem_offset % b0 // 32) * 8 + B.elem_offset % b0 % 32 // 8 * 2, C.data, C.elem_offset // c0 // 8 // 2 * 2 * (c0 // 8) + C.elem_offset // c0 // 8 % 2 + C.elem_offset % c0 // 8 * 2, T.bool(False))


# TVM has no implementation of the store, and puts the description in its place.
INTRINSICS = {
    "mma_store_m16n8k8_f16_global": {"element": "float16"},
    "mma_store_m16n8k8_f32_global": {"element": "float32"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    src = T.match_buffer(a, (16, 8), element, scope="m16n8k8.matrixC", offset_factor=1)
    dst = T.match_buffer(c, (16, 8), element, scope="shared.dyn", offset_factor=1)
    with T.block("root"):
        T.reads(src[0:16, 0:8])
        T.writes(dst[0:16, 0:8])
        for i, j in T.grid(16, 8):
            with T.block("m16n8k8_store"):
                vi, vj = T.axis.remap("SS", [i, j])
                dst[vi, vj] = src[vi, vj]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    src = T.match_buffer(a, (16, 8), element, scope="m16n8k8.matrixC", offset_factor=1)
    dst = T.match_buffer(c, (16, 8), element, scope="shared.dyn", offset_factor=1)
    with T.block("root"):
        T.reads(src[0:16, 0:8])
        T.writes(dst[0:16, 0:8])
        for i, j in T.grid(16, 8):
            with T.block("m16n8k8_store"):
                vi, vj = T.axis.remap("SS", [i, j])
                dst[vi, vj] = src[vi, vj]
