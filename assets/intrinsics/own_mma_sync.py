# Products of mma.sync that TVM has no intrinsics of. The tables share the two functions at the end; their rows are those of
# mma_sync.py.
from tvm.script import tir as T

EXECUTION = "warp"
first = A[0:32, 0:LOCAL]
second = B[0:32, 0:LOCAL]
one = A[a_lane, a_local]
two = B[b_lane, b_local]
sum = C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2]
value = sum + acc(one) * acc(two)

# Of programs that write a product in another order: the second factor first, or the product before what it is added to.
FORMS = {
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + sum},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + sum},
}
INTRINSICS = {
    "mma_f16f16f32": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_f16f16f32_trans_b": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_f16f16f32_trans_a": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_f16f16f32_trans_a_trans_b": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_f16f16f16": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float16, "acc_type": "float16", "acc_kind": "fp16", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_f16f16f16_trans_b": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float16, "acc_type": "float16", "acc_kind": "fp16", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_f16f16f16_trans_a": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float16, "acc_type": "float16", "acc_kind": "fp16", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_f16f16f16_trans_a_trans_b": {"K": 16, "LOCAL": 8, "element": "float16", "shape": "m16n8k16", "kind": "fp16", "acc": T.float16, "acc_type": "float16", "acc_kind": "fp16", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_i8i8i32": {"K": 32, "LOCAL": 16, "element": "int8", "shape": "m16n8k32", "kind": "int8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": vk % 16 // 4 + 4 * (vj % 8), "b_local": 8 * (vj // 8) + vk // 16 * 4 + vk % 4},
    "mma_i8i8i32_trans_b": {"K": 32, "LOCAL": 16, "element": "int8", "shape": "m16n8k32", "kind": "int8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 32, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": 4 * (vj % 8) + vk % 16 // 4, "b_local": 8 * (vk // 16) + vj // 8 * 4 + vk % 4},
    "mma_e4m3e4m3f32": {"K": 32, "LOCAL": 16, "element": "float8_e4m3fn", "shape": "m16n8k32", "kind": "e4m3", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 32, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": vk % 16 // 4 + 4 * (vj % 8), "b_local": 8 * (vj // 8) + vk // 16 * 4 + vk % 4},
    "mma_e4m3e4m3f32_trans_b": {"K": 32, "LOCAL": 16, "element": "float8_e4m3fn", "shape": "m16n8k32", "kind": "e4m3", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 32, "FACTOR_B": 32, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": 4 * (vj % 8) + vk % 16 // 4, "b_local": 8 * (vk // 16) + vj // 8 * 4 + vk % 4},
    "mma_e5m2e5m2f32": {"K": 32, "LOCAL": 16, "element": "float8_e5m2", "shape": "m16n8k32", "kind": "e5m2", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 32, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": vk % 16 // 4 + 4 * (vj % 8), "b_local": 8 * (vj // 8) + vk // 16 * 4 + vk % 4},
    "mma_e5m2e5m2f32_trans_b": {"K": 32, "LOCAL": 16, "element": "float8_e5m2", "shape": "m16n8k32", "kind": "e5m2", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 32, "FACTOR_B": 32, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": 4 * (vj % 8) + vk % 16 // 4, "b_local": 8 * (vk // 16) + vj // 8 * 4 + vk % 4},
}

# Of bfloat16, and of bytes without a sign, in all orders.
FORMS = {
    "": {},
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + sum},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + sum},
}
INTRINSICS = {
    "mma_bf16bf16f32": {"K": 16, "LOCAL": 8, "element": "bfloat16", "shape": "m16n8k16", "kind": "bf16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_bf16bf16f32_trans_b": {"K": 16, "LOCAL": 8, "element": "bfloat16", "shape": "m16n8k16", "kind": "bf16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 8 // 2, "a_local": 4 * (vk // 8) + vi // 8 * 2 + vk % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_bf16bf16f32_trans_a": {"K": 16, "LOCAL": 8, "element": "bfloat16", "shape": "m16n8k16", "kind": "bf16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vk % 8) + vj % 8 // 2, "b_local": 4 * (vj // 8) + vk // 8 * 2 + vj % 2},
    "mma_bf16bf16f32_trans_a_trans_b": {"K": 16, "LOCAL": 8, "element": "bfloat16", "shape": "m16n8k16", "kind": "bf16", "acc": T.float32, "acc_type": "float32", "acc_kind": "fp32", "FACTOR_A": 16, "FACTOR_B": 16, "a_lane": 4 * (vk % 8) + vi % 8 // 2, "a_local": 4 * (vi // 8) + vk // 8 * 2 + vi % 2, "b_lane": 4 * (vj % 8) + vk % 8 // 2, "b_local": 4 * (vk // 8) + vj // 8 * 2 + vk % 2},
    "mma_u8u8i32": {"K": 32, "LOCAL": 16, "element": "uint8", "shape": "m16n8k32", "kind": "uint8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": vk % 16 // 4 + 4 * (vj % 8), "b_local": 8 * (vj // 8) + vk // 16 * 4 + vk % 4},
    "mma_u8u8i32_trans_b": {"K": 32, "LOCAL": 16, "element": "uint8", "shape": "m16n8k32", "kind": "uint8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 32, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": 4 * (vj % 8) + vk % 16 // 4, "b_local": 8 * (vk // 16) + vj // 8 * 4 + vk % 4},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_A)
    B = T.match_buffer(b, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_B)
    C = T.match_buffer(c, (32, 8), acc_type, scope="warp", offset_factor=16)
    with T.block("root"):
        T.reads(C[0:32, 0:8], first, second)
        T.writes(C[0:32, 0:8])
        for i, j, k in T.grid(16, 16, K):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2], one, two)
                T.writes(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2])
                C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = value


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_A)
    B = T.match_buffer(b, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_B)
    C = T.match_buffer(c, (32, 8), acc_type, scope="warp", offset_factor=16)
    with T.block("root"):
        T.reads(C[0:32, 0:8], A[0:32, 0:LOCAL], B[0:32, 0:LOCAL])
        T.writes(C[0:32, 0:8])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL, B.data, B.elem_offset + tx * LOCAL, C.data, C.elem_offset + tx * 8, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL, B.data, B.elem_offset + tx * LOCAL + LOCAL // 2, C.data, C.elem_offset + tx * 8 + 4, T.bool(False))


# The same tiles of int8 by products of 8 x 8 x 16, which Turing has, too: eight of them, two for each of four parts of the sum.
INTRINSICS = {
    "mma_m8n8k16_i8i8i32": {"K": 32, "LOCAL": 16, "element": "int8", "shape": "m8n8k16", "kind": "int8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 16, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": vk % 16 // 4 + 4 * (vj % 8), "b_local": 8 * (vj // 8) + vk // 16 * 4 + vk % 4},
    "mma_m8n8k16_i8i8i32_trans_b": {"K": 32, "LOCAL": 16, "element": "int8", "shape": "m8n8k16", "kind": "int8", "acc": T.int32, "acc_type": "int32", "acc_kind": "int32", "FACTOR_A": 32, "FACTOR_B": 32, "a_lane": 4 * (vi % 8) + vk % 16 // 4, "a_local": 8 * (vk // 16) + vi // 8 * 4 + vk % 4, "b_lane": 4 * (vj % 8) + vk % 16 // 4, "b_local": 8 * (vk // 16) + vj // 8 * 4 + vk % 4},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_A)
    B = T.match_buffer(b, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_B)
    C = T.match_buffer(c, (32, 8), acc_type, scope="warp", offset_factor=16)
    with T.block("root"):
        T.reads(C[0:32, 0:8], first, second)
        T.writes(C[0:32, 0:8])
        for i, j, k in T.grid(16, 16, K):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2], one, two)
                T.writes(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2])
                C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = value


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_A)
    B = T.match_buffer(b, (32, LOCAL), element, scope="warp", offset_factor=FACTOR_B)
    C = T.match_buffer(c, (32, 8), acc_type, scope="warp", offset_factor=16)
    with T.block("root"):
        T.reads(C[0:32, 0:8], A[0:32, 0:LOCAL], B[0:32, 0:LOCAL])
        T.writes(C[0:32, 0:8])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL, B.data, B.elem_offset + tx * LOCAL, C.data, C.elem_offset + tx * 8, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 8, B.data, B.elem_offset + tx * LOCAL + 4, C.data, C.elem_offset + tx * 8, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 4, B.data, B.elem_offset + tx * LOCAL, C.data, C.elem_offset + tx * 8 + 2, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 12, B.data, B.elem_offset + tx * LOCAL + 4, C.data, C.elem_offset + tx * 8 + 2, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL, B.data, B.elem_offset + tx * LOCAL + 8, C.data, C.elem_offset + tx * 8 + 4, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 8, B.data, B.elem_offset + tx * LOCAL + 12, C.data, C.elem_offset + tx * 8 + 4, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 4, B.data, B.elem_offset + tx * LOCAL + 8, C.data, C.elem_offset + tx * 8 + 6, T.bool(False))
            T.ptx_mma(acc_type, shape, "row", "col", kind, kind, acc_kind, A.data, A.elem_offset + tx * LOCAL + 12, B.data, B.elem_offset + tx * LOCAL + 12, C.data, C.elem_offset + tx * 8 + 6, T.bool(False))
