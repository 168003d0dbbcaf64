# wgmma of Hopper: a warpgroup, four warps, holds 64 rows of a sum in its registers; tensor cores take the factors from
# shared memory. The second factor lies by rows, [k, n], or by columns, [n, k] (_trans), the first by rows, [m, k], or by
# columns, [k, m] (_turned). Programs that write the second factor first (_commuted), or the product before what it is added to
# (_sum_first), have the same products.
from tvm.script import tir as T

EXECUTION = "warpgroup"
M = 64
value = C[vi, vj] + acc(one) * acc(two)

# Whole numbers come in fewer widths, and elements of 8 bits and tf32 by columns alone.
FORMS = {
    "8": {"N": 8}, "16": {"N": 16}, "24": {"N": 24}, "32": {"N": 32}, "48": {"N": 48}, "64": {"N": 64}, "80": {"N": 80}, "96": {"N": 96},
    "112": {"N": 112}, "128": {"N": 128}, "144": {"N": 144}, "160": {"N": 160}, "176": {"N": 176}, "192": {"N": 192}, "208": {"N": 208}, "224": {"N": 224},
    "240": {"N": 240}, "256": {"N": 256},
}
FORMS = {
    "": {},
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + C[vi, vj]},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + C[vi, vj]},
}
INTRINSICS = {
    "wgmma_m64n*k32_s8s8s32_trans": {"K": 32, "factor": "int8", "acc": T.int32, "acc_type": "int32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
    "wgmma_m64n*k32_u8u8s32_trans": {"K": 32, "factor": "uint8", "acc": T.int32, "acc_type": "int32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
}

FORMS = {
    "8": {"N": 8}, "16": {"N": 16}, "24": {"N": 24}, "32": {"N": 32}, "40": {"N": 40}, "48": {"N": 48}, "56": {"N": 56}, "64": {"N": 64},
    "72": {"N": 72}, "80": {"N": 80}, "88": {"N": 88}, "96": {"N": 96}, "104": {"N": 104}, "112": {"N": 112}, "120": {"N": 120}, "128": {"N": 128},
    "136": {"N": 136}, "144": {"N": 144}, "152": {"N": 152}, "160": {"N": 160}, "168": {"N": 168}, "176": {"N": 176}, "184": {"N": 184}, "192": {"N": 192},
    "200": {"N": 200}, "208": {"N": 208}, "216": {"N": 216}, "224": {"N": 224}, "232": {"N": 232}, "240": {"N": 240}, "248": {"N": 248}, "256": {"N": 256},
}
FORMS = {
    "": {},
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + C[vi, vj]},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + C[vi, vj]},
}
INTRINSICS = {
    "wgmma_m64n*k16_f16f16f32": {"K": 16, "factor": "float16", "acc": T.float32, "acc_type": "float32", "LINES": K, "LENGTH": N, "order": "row_major", "first": A[0:M, 0:K], "second": B[0:K, 0:N], "one": A[vi, vk], "two": B[vk, vj]},
    "wgmma_m64n*k16_f16f16f32_trans": {"K": 16, "factor": "float16", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
    "wgmma_m64n*k16_bf16bf16f32": {"K": 16, "factor": "bfloat16", "acc": T.float32, "acc_type": "float32", "LINES": K, "LENGTH": N, "order": "row_major", "first": A[0:M, 0:K], "second": B[0:K, 0:N], "one": A[vi, vk], "two": B[vk, vj]},
    "wgmma_m64n*k16_bf16bf16f32_trans": {"K": 16, "factor": "bfloat16", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
    "wgmma_m64n*k32_e4m3e4m3f32_trans": {"K": 32, "factor": "float8_e4m3fn", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
    "wgmma_m64n*k32_e5m2e5m2f32_trans": {"K": 32, "factor": "float8_e5m2", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
    "wgmma_m64n*k8_tf32tf32f32_trans": {"K": 8, "factor": "float32", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:M, 0:K], "second": B[0:N, 0:K], "one": A[vi, vk], "two": B[vj, vk]},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), factor, scope="shared.dyn", offset_factor=K)
    B = T.match_buffer(b, (LINES, LENGTH), factor, scope="shared.dyn", offset_factor=LENGTH)
    C = T.match_buffer(c, (M, N), acc_type, scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], first, second)
        T.writes(C[0:M, 0:N])
        for i, j, k in T.grid(M, N, K):
            with T.block("update"):
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
    A = T.match_buffer(a, (M, K), factor, strides=(a1, a0), scope="shared.dyn", offset_factor=K)
    B = T.match_buffer(b, (LINES, LENGTH), factor, strides=(b1, b0), scope="shared.dyn", offset_factor=LENGTH)
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], first, second)
        T.writes(C[0:M, 0:N])
        T.ptx_wgmma_mma_async(C.data, M, N, K, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N, T.tvm_access_ptr(T.type_annotation(factor), A.data, A.elem_offset, a1 * M, 1), a1, T.tvm_access_ptr(T.type_annotation(factor), B.data, B.elem_offset, b1 * LINES, 1), b1, order)


# The first factor by columns, [k, m]: of 16-bit elements alone.
INTRINSICS = {
    "wgmma_m64n*k16_f16f16f32_turned": {"K": 16, "factor": "float16", "acc": T.float32, "acc_type": "float32", "LINES": K, "LENGTH": N, "order": "row_major", "first": A[0:K, 0:M], "second": B[0:K, 0:N], "one": A[vk, vi], "two": B[vk, vj]},
    "wgmma_m64n*k16_f16f16f32_trans_turned": {"K": 16, "factor": "float16", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:K, 0:M], "second": B[0:N, 0:K], "one": A[vk, vi], "two": B[vj, vk]},
    "wgmma_m64n*k16_bf16bf16f32_turned": {"K": 16, "factor": "bfloat16", "acc": T.float32, "acc_type": "float32", "LINES": K, "LENGTH": N, "order": "row_major", "first": A[0:K, 0:M], "second": B[0:K, 0:N], "one": A[vk, vi], "two": B[vk, vj]},
    "wgmma_m64n*k16_bf16bf16f32_trans_turned": {"K": 16, "factor": "bfloat16", "acc": T.float32, "acc_type": "float32", "LINES": N, "LENGTH": K, "order": "col_major", "first": A[0:K, 0:M], "second": B[0:N, 0:K], "one": A[vk, vi], "two": B[vj, vk]},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (K, M), factor, scope="shared.dyn", offset_factor=M)
    B = T.match_buffer(b, (LINES, LENGTH), factor, scope="shared.dyn", offset_factor=LENGTH)
    C = T.match_buffer(c, (M, N), acc_type, scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], first, second)
        T.writes(C[0:M, 0:N])
        for i, j, k in T.grid(M, N, K):
            with T.block("update"):
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
    A = T.match_buffer(a, (K, M), factor, strides=(a1, a0), scope="shared.dyn", offset_factor=M)
    B = T.match_buffer(b, (LINES, LENGTH), factor, strides=(b1, b0), scope="shared.dyn", offset_factor=LENGTH)
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], first, second)
        T.writes(C[0:M, 0:N])
        T.ptx_wgmma_mma_async(C.data, M, N, K, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N, T.tvm_access_ptr(T.type_annotation(factor), A.data, A.elem_offset, a1 * K, 1), a1, T.tvm_access_ptr(T.type_annotation(factor), B.data, B.elem_offset, b1 * LINES, 1), b1, order, "col_major")


FORMS = {
    "8": {"N": 8}, "16": {"N": 16}, "24": {"N": 24}, "32": {"N": 32}, "40": {"N": 40}, "48": {"N": 48}, "56": {"N": 56}, "64": {"N": 64},
    "72": {"N": 72}, "80": {"N": 80}, "88": {"N": 88}, "96": {"N": 96}, "104": {"N": 104}, "112": {"N": 112}, "120": {"N": 120}, "128": {"N": 128},
    "136": {"N": 136}, "144": {"N": 144}, "152": {"N": 152}, "160": {"N": 160}, "168": {"N": 168}, "176": {"N": 176}, "184": {"N": 184}, "192": {"N": 192},
    "200": {"N": 200}, "208": {"N": 208}, "216": {"N": 216}, "224": {"N": 224}, "232": {"N": 232}, "240": {"N": 240}, "248": {"N": 248}, "256": {"N": 256},
}
INTRINSICS = {
    "wgmma_fill_64x*_f32": {"acc": T.float32, "acc_type": "float32"},
    "wgmma_fill_64x*_s32": {"acc": T.int32, "acc_type": "int32"},
}


@T.prim_func
def desc(c: T.handle):
    C = T.match_buffer(c, (M, N), acc_type, scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads()
        T.writes(C[0:M, 0:N])
        for i, j in T.grid(M, N):
            with T.block("init"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = acc(0)


@T.prim_func
def impl(c: T.handle):
    c1 = T.int32()
    c0 = T.int32()
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="local.wgmma", offset_factor=N)
    with T.block("root"):
        T.reads()
        T.writes(C[0:M, 0:N])
        T.ptx_wgmma_fill(C.data, M, N, 16, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N, T.float32(0))


INTRINSICS = {
    "wgmma_store_64x*_f32_global": {"element": "float32", "target": "global"},
    "wgmma_store_64x*_f32_shared_dyn": {"element": "float32", "target": "shared.dyn"},
    "wgmma_store_64x*_f32_shared_cluster": {"element": "float32", "target": "shared.cluster"},
    "wgmma_store_64x*_s32_global": {"element": "int32", "target": "global"},
    "wgmma_store_64x*_s32_shared_dyn": {"element": "int32", "target": "shared.dyn"},
    "wgmma_store_64x*_s32_shared_cluster": {"element": "int32", "target": "shared.cluster"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, N), element, scope="local.wgmma", offset_factor=N)
    C = T.match_buffer(c, (M, N), element, scope=target, offset_factor=8)
    with T.block("root"):
        T.reads(A[0:M, 0:N])
        T.writes(C[0:M, 0:N])
        for i, j in T.grid(M, N):
            with T.block("store"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    a1 = T.int32()
    a0 = T.int32()
    c1 = T.int32()
    c0 = T.int32()
    A = T.match_buffer(a, (M, N), element, strides=(a1, a0), scope="local.wgmma", offset_factor=N)
    C = T.match_buffer(c, (M, N), element, strides=(c1, c0), scope=target, offset_factor=8)
    with T.block("root"):
        T.reads(A[0:M, 0:N])
        T.writes(C[0:M, 0:N])
        T.ptx_wgmma_store(A.data, M, N, 16, A.elem_offset // a1 // M * (a1 // N) + A.elem_offset % a1 // N, T.tvm_access_ptr(T.type_annotation(element), C.data, C.elem_offset, c1 * M, 2), c1)
