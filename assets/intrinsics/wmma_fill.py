# Fills an accumulator fragment with zeros: nvcuda::wmma::fill_fragment.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
INTRINSICS = {
    "wmma_fill_16x16x16_f32": {"acc": T.float32, "acc_type": "float32"},
    "wmma_fill_16x16x16_f16": {"acc": T.float16, "acc_type": "float16"},
    "wmma_fill_16x16x16_s32": {"acc": T.int32, "acc_type": "int32"},
    "wmma_fill_8x8x32_s32": {"M": 8, "N": 8, "K": 32, "acc": T.int32, "acc_type": "int32"},
}


@T.prim_func
def desc(c: T.handle):
    C = T.match_buffer(c, (M, N), acc_type, scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads()
        T.writes(C[0:M, 0:N])
        for i, j in T.grid(M, N):
            with T.block("init"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = acc(0)


@T.prim_func
def impl(c: T.handle):
    d1 = T.int32()
    d0 = T.int32()
    C = T.match_buffer(c, (M, N), acc_type, strides=(d1, d0), scope="wmma.accumulator", offset_factor=N)
    with T.block("root"):
        T.reads()
        T.writes(C[0:M, 0:N])
        T.tvm_fill_fragment(C.data, M, N, K, C.elem_offset // d1 // M * (d1 // N) + C.elem_offset % d1 // N, T.float32(0))
