# Products of fragments that wmma has and TVM has no intrinsics of. The tables share the two functions at the end.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
first = A[0:M, 0:K]
one = A[vi, vk]
value = C[vi, vj] + acc(one) * acc(two)

# Of the tiles and elements of wmma_sync.py and wmma_sync_trans.py, in programs that write a product in another order: the second
# factor first, or the product before what it is added to. The hardware's operation is the same.
FORMS = {
    "": {"LINES": K, "LENGTH": N, "second": B[0:K, 0:N], "two": B[vk, vj]},
    "_trans": {"LINES": N, "LENGTH": K, "second": B[0:N, 0:K], "two": B[vj, vk]},
}
FORMS = {
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + C[vi, vj]},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + C[vi, vj]},
}
INTRINSICS = {
    "wmma_sync_16x16x16_f16f16f32": {"element": "float16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_16x16x16_f16f16f16": {"element": "float16", "acc": T.float16, "acc_type": "float16"},
    "wmma_sync_16x16x16_s8s8s32": {"element": "int8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_8x8x32_s4s4s32": {"M": 8, "N": 8, "K": 32, "element": "int4", "acc": T.int32, "acc_type": "int32"},
}

# Of further tiles and elements, in all orders. Of float32 the loads make tf32: its products need no cast, and a cast to its own
# type is none.
FORMS = {
    "": {"LINES": K, "LENGTH": N, "second": B[0:K, 0:N], "two": B[vk, vj]},
    "_trans": {"LINES": N, "LENGTH": K, "second": B[0:N, 0:K], "two": B[vj, vk]},
}
FORMS = {
    "": {},
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + C[vi, vj]},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + C[vi, vj]},
}
INTRINSICS = {
    "wmma_sync_16x16x16_bf16bf16f32": {"element": "bfloat16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_16x16x16_u8u8s32": {"element": "uint8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_32x8x16_f16f16f32": {"M": 32, "N": 8, "element": "float16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_32x8x16_f16f16f16": {"M": 32, "N": 8, "element": "float16", "acc": T.float16, "acc_type": "float16"},
    "wmma_sync_32x8x16_bf16bf16f32": {"M": 32, "N": 8, "element": "bfloat16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_32x8x16_s8s8s32": {"M": 32, "N": 8, "element": "int8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_32x8x16_u8u8s32": {"M": 32, "N": 8, "element": "uint8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_8x32x16_f16f16f32": {"M": 8, "N": 32, "element": "float16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_8x32x16_f16f16f16": {"M": 8, "N": 32, "element": "float16", "acc": T.float16, "acc_type": "float16"},
    "wmma_sync_8x32x16_bf16bf16f32": {"M": 8, "N": 32, "element": "bfloat16", "acc": T.float32, "acc_type": "float32"},
    "wmma_sync_8x32x16_s8s8s32": {"M": 8, "N": 32, "element": "int8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_8x32x16_u8u8s32": {"M": 8, "N": 32, "element": "uint8", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_16x16x8_tf32tf32f32": {"K": 8, "element": "float32", "acc": T.float32, "acc_type": "float32"},
}

# Of elements that share bytes: both factors lie along k, so that the second is by columns (_trans). A product of bits is one
# where both are set.
FORMS = {
    "_trans": {"LINES": N, "LENGTH": K, "second": B[0:N, 0:K], "two": B[vj, vk]},
}
FORMS = {
    "": {},
    "_commuted": {"first": second, "second": first, "one": two, "two": one},
    "_sum_first": {"value": acc(one) * acc(two) + C[vi, vj]},
    "_sum_first_commuted": {"first": second, "second": first, "one": two, "two": one, "value": acc(two) * acc(one) + C[vi, vj]},
}
INTRINSICS = {
    "wmma_sync_8x8x32_u4u4s32": {"M": 8, "N": 8, "K": 32, "element": "uint4", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_8x8x128_b1b1s32": {"M": 8, "N": 8, "K": 128, "element": "uint1", "acc": T.int32, "acc_type": "int32"},
    "wmma_sync_8x8x128_s1s1s32": {"M": 8, "N": 8, "K": 128, "element": "int1", "acc": T.int32, "acc_type": "int32"},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (M, K), element, scope="wmma.matrix_a", offset_factor=K)
    B = T.match_buffer(b, (LINES, LENGTH), element, scope="wmma.matrix_b", offset_factor=LENGTH)
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
    B = T.match_buffer(b, (LINES, LENGTH), element, strides=(b1, b0), scope="wmma.matrix_b", offset_factor=LENGTH)
    C = T.match_buffer(c, (M, N), acc_type, strides=(c1, c0), scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads(C[0:M, 0:N], A[0:M, 0:K], B[0:LINES, 0:LENGTH])
        T.writes(C[0:M, 0:N])
        T.tvm_mma_sync(
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N,
            A.data, A.elem_offset // a1 // M * (a1 // K) + A.elem_offset % a1 // K,
            B.data, B.elem_offset // b1 // LINES * (b1 // LENGTH) + B.elem_offset % b1 // LENGTH,
            C.data, C.elem_offset // c1 // M * (c1 // N) + C.elem_offset % c1 // N)
