# Fills the accumulators of mma.sync with zeros, and stores them: 16 x 16 elements, eight in each lane.
from tvm.script import tir as T

EXECUTION = "warp"
INTRINSICS = {
    "mma_fill_16x16_f32": {"element": "float32", "zero": T.float32(0)},
    "mma_fill_16x16_f16": {"element": "float16", "zero": T.float16(0)},
    "mma_fill_16x16_i32": {"element": "int32", "zero": 0},
}


@T.prim_func
def desc(a: T.handle):
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp")
    with T.block("root"):
        T.reads()
        T.writes(C_warp[0:32, 0:8])
        for i0, i1 in T.grid(16, 16):
            with T.block("C_warp"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads()
                T.writes(C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2])
                C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2] = zero


@T.prim_func
def impl(a: T.handle):
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp", offset_factor=1)
    with T.block("root"):
        T.reads()
        T.writes(C_warp[0:32, 0:8])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.mma_fill(element, 8, C_warp.data, C_warp.elem_offset)


INTRINSICS = {
    "mma_store_16x16_f32_global_": {"element": "float32", "target": "global"},
    "mma_store_16x16_f16_global_": {"element": "float16", "target": "global"},
    "mma_store_16x16_i32_global_": {"element": "int32", "target": "global"},
    "mma_store_16x16_f32_shared_dyn_": {"element": "float32", "target": "shared.dyn"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp")
    C = T.match_buffer(c, (16, 16), element, scope=target)
    with T.block("root"):
        T.reads(C_warp[0:32, 0:8])
        T.writes(C[0:16, 0:16])
        for i0, i1 in T.grid(16, 16):
            with T.block("C_warp"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2])
                T.writes(C[v0, v1])
                C[v0, v1] = C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp", offset_factor=1)
    C = T.match_buffer(c, (16, 16), element, strides=(s0, s1), scope=target, offset_factor=1)
    with T.block("root"):
        T.reads(C_warp[0:32, 0:8])
        T.writes(C[0:16, 0:16])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.mma_store(element, 16, 16, T.tvm_access_ptr(T.type_annotation(element), C.data, C.elem_offset, s0 * 16, 2), C_warp.data, C_warp.elem_offset, s0)


# Stores element by element.
INTRINSICS = {
    "mma_store_16x16_f32_shared_dyn_simple_": {"element": "float32", "target": "shared.dyn"},
    "mma_store_16x16_f16_shared_dyn_simple_": {"element": "float16", "target": "shared.dyn"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp")
    C = T.match_buffer(c, (16, 16), element, scope=target)
    with T.block("root"):
        T.reads(C_warp[0:32, 0:8])
        T.writes(C[0:16, 0:16])
        for i0, i1 in T.grid(16, 16):
            with T.block("C_warp"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2])
                T.writes(C[v0, v1])
                C[v0, v1] = C_warp[4 * (v0 % 8) + v1 % 8 // 2, 4 * (v1 // 8) + v0 // 8 * 2 + v1 % 2]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    C_warp = T.match_buffer(a, (32, 8), element, scope="warp", offset_factor=1)
    C = T.match_buffer(c, (16, 16), element, strides=(s0, s1), scope=target, offset_factor=1)
    with T.block("root"):
        T.reads(C_warp[0:32, 0:8])
        T.writes(C[0:16, 0:16])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            for local_id in range(8):
                C[8 * (local_id % 4 // 2) + tx // 4, 8 * (local_id // 4) + tx % 4 * 2 + local_id % 2] = C_warp[tx, local_id]
