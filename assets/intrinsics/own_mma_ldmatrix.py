# Loads of mma.sync's operands of bfloat16, and of bytes without a sign, which TVM has no intrinsics of: as those of float16 and
# int8 in mma_ldmatrix.py.
from tvm.script import tir as T

EXECUTION = "warp"

# 16 x 16 elements of 16 bits.
INTRINSICS = {
    "mma_ldmatrix_bf16_a": {"element": "bfloat16", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * (tx % 16) + 8 * (tx // 16)},
    "mma_ldmatrix_bf16_a_dyn": {"element": "bfloat16", "source": "shared.dyn", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * (tx % 16) + 8 * (tx // 16)},
    "mma_ldmatrix_bf16_a_trans": {"element": "bfloat16", "source": "shared", "TRANSPOSED": True, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * 8 * (tx // 16) + s0 * (tx % 8) + 8 * (tx % 16 // 8)},
    "mma_ldmatrix_bf16_a_trans_dyn": {"element": "bfloat16", "source": "shared.dyn", "TRANSPOSED": True, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * 8 * (tx // 16) + s0 * (tx % 8) + 8 * (tx % 16 // 8)},
    "mma_ldmatrix_bf16_b": {"element": "bfloat16", "source": "shared", "TRANSPOSED": True, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * (tx % 16) + 8 * (tx // 16)},
    "mma_ldmatrix_bf16_b_dyn": {"element": "bfloat16", "source": "shared.dyn", "TRANSPOSED": True, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * (tx % 16) + 8 * (tx // 16)},
    "mma_ldmatrix_bf16_b_trans": {"element": "bfloat16", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * 8 * (tx // 16) + s0 * (tx % 8) + 8 * (tx % 16 // 8)},
    "mma_ldmatrix_bf16_b_trans_dyn": {"element": "bfloat16", "source": "shared.dyn", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 16, "LOCAL": 8, "row": s0 * 8 * (tx // 16) + s0 * (tx % 8) + 8 * (tx % 16 // 8)},
}


@T.prim_func
def desc(warp_handle: T.handle, shared_handle: T.handle):
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for ax0, ax1 in T.grid(ROWS, COLUMNS):
            with T.block("shared_warp"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(shared[v0, v1])
                T.writes(warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2])
                warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2] = shared[v0, v1]


@T.prim_func
def impl(warp_handle: T.handle, shared_handle: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, strides=(s0, s1), scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_ldmatrix(element, T.bool(TRANSPOSED), 4, ".b16", warp.data, warp.elem_offset + LOCAL * tx, T.tvm_access_ptr(T.type_annotation(element), shared.data, shared.elem_offset, s0 * ROWS, 1), row)


# 16 x 32 elements of 8 bits.
INTRINSICS = {
    "mma_ldmatrix_u8_a": {"element": "uint8", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 32, "LOCAL": 16, "row": s0 * (tx % 16) + 16 * (tx // 16)},
    "mma_ldmatrix_u8_b_trans": {"element": "uint8", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 32, "LOCAL": 16, "row": s0 * 8 * (tx // 16) + tx % 8 * s0 + 16 * (tx % 16 // 8)},
}


@T.prim_func
def desc(warp_handle: T.handle, shared_handle: T.handle):
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for ax0, ax1 in T.grid(ROWS, COLUMNS):
            with T.block("shared_warp"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(shared[v0, v1])
                T.writes(warp[4 * (v0 % 8) + v1 % 16 // 4, 8 * (v1 // 16) + v0 // 8 * 4 + v1 % 4])
                warp[4 * (v0 % 8) + v1 % 16 // 4, 8 * (v1 // 16) + v0 // 8 * 4 + v1 % 4] = shared[v0, v1]


@T.prim_func
def impl(warp_handle: T.handle, shared_handle: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, strides=(s0, s1), scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_ldmatrix(element, T.bool(TRANSPOSED), 4, ".b16", warp.data, warp.elem_offset + LOCAL * tx, T.tvm_access_ptr(T.type_annotation(element), shared.data, shared.elem_offset, s0 * ROWS, 1), row)


# 32 x 16 elements of 8 bits, which ldmatrix can't transpose: each lane gathers what it holds, and is told the stride alone.
INTRINSICS = {
    "mma_ldmatrix_u8_b": {"element": "uint8", "source": "shared", "TRANSPOSED": True, "ROWS": 32, "COLUMNS": 16, "LOCAL": 16, "row": s0},
}


@T.prim_func
def desc(warp_handle: T.handle, shared_handle: T.handle):
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for ax0, ax1 in T.grid(ROWS, COLUMNS):
            with T.block("shared_warp"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(shared[v0, v1])
                T.writes(warp[v0 % 16 // 4 + 4 * (v1 % 8), 8 * (v1 // 8) + v0 // 16 * 4 + v0 % 4])
                warp[v0 % 16 // 4 + 4 * (v1 % 8), 8 * (v1 // 8) + v0 // 16 * 4 + v0 % 4] = shared[v0, v1]


@T.prim_func
def impl(warp_handle: T.handle, shared_handle: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    warp = T.match_buffer(warp_handle, (32, LOCAL), element, scope="warp", offset_factor=COLUMNS)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), element, strides=(s0, s1), scope=source, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:LOCAL])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_ldmatrix(element, T.bool(TRANSPOSED), 4, ".b16", warp.data, warp.elem_offset + LOCAL * tx, T.tvm_access_ptr(T.type_annotation(element), shared.data, shared.elem_offset, s0 * ROWS, 1), row)
