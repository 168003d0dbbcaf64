# mma.sync of float32 as tf32: 16 x 16 elements of the sum by two products of 16 x 8 x 8, whose factors the lanes load by themselves.
from tvm.script import tir as T

EXECUTION = "warp"
INTRINSICS = {
    "load_tf32_a": {"ROWS": 16, "COLUMNS": 8, "lane": 4 * (vi % 8) + vj % 4, "local": vj // 4 * 2 + vi // 8, "row": e % 2 * 8 + tx // 4, "column": e // 2 * 4 + tx % 4},
    "load_tf32_b": {"ROWS": 8, "COLUMNS": 16, "lane": 4 * (vj % 8) + vi % 4, "local": vj // 8 * 2 + vi // 4, "row": e % 2 * 4 + tx % 4, "column": e // 2 * 8 + tx // 4},
}


@T.prim_func
def desc(warp_handle: T.handle, shared_handle: T.handle):
    warp = T.match_buffer(warp_handle, (32, 4), "float32", scope="warp", offset_factor=1)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), "float32", scope="shared", offset_factor=1)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:4])
        for ax0, ax1 in T.grid(ROWS, COLUMNS):
            with T.block("shared_warp"):
                vi, vj = T.axis.remap("SS", [ax0, ax1])
                T.reads(shared[vi, vj])
                T.writes(warp[lane, local])
                warp[lane, local] = shared[vi, vj]


@T.prim_func
def impl(warp_handle: T.handle, shared_handle: T.handle):
    s0 = T.int32()
    s1 = T.int32()
    warp = T.match_buffer(warp_handle, (32, 4), "float32", scope="warp", offset_factor=1)
    shared = T.match_buffer(shared_handle, (ROWS, COLUMNS), "float32", strides=(s0, s1), scope="shared", offset_factor=1)
    with T.block("root"):
        T.reads(shared[0:ROWS, 0:COLUMNS])
        T.writes(warp[0:32, 0:4])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            for e in T.unroll(4):
                warp[tx, e] = shared[row, column]


INTRINSICS = {"product_tf32": {}}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, 4), "float32", scope="warp", offset_factor=1)
    B = T.match_buffer(b, (32, 4), "float32", scope="warp", offset_factor=1)
    C = T.match_buffer(c, (32, 8), "float32", scope="warp", offset_factor=1)
    with T.block("root"):
        T.reads(C[0:32, 0:8], A[0:32, 0:4], B[0:32, 0:4])
        T.writes(C[0:32, 0:8])
        for i, j, k in T.grid(16, 16, 8):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2], A[4 * (vi % 8) + vk % 4, vk // 4 * 2 + vi // 8], B[4 * (vj % 8) + vk % 4, vj // 8 * 2 + vk // 4])
                T.writes(C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2])
                C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] = C[4 * (vi % 8) + vj % 8 // 2, 4 * (vj // 8) + vi // 8 * 2 + vj % 2] + A[4 * (vi % 8) + vk % 4, vk // 4 * 2 + vi // 8] * B[4 * (vj % 8) + vk % 4, vj // 8 * 2 + vk // 4]


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (32, 4), "float32", scope="warp", offset_factor=1)
    B = T.match_buffer(b, (32, 4), "float32", scope="warp", offset_factor=1)
    C = T.match_buffer(c, (32, 8), "float32", scope="warp", offset_factor=1)
    with T.block("root"):
        T.reads(C[0:32, 0:8], A[0:32, 0:4], B[0:32, 0:4])
        T.writes(C[0:32, 0:8])
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            T.ptx_mma("float32", "m16n8k8", "row", "col", "tf32", "tf32", "fp32", A.data, A.elem_offset + tx * 4, B.data, B.elem_offset + tx * 4, C.data, C.elem_offset + tx * 8, T.bool(False))
            T.ptx_mma("float32", "m16n8k8", "row", "col", "tf32", "tf32", "fp32", A.data, A.elem_offset + tx * 4, B.data, B.elem_offset + tx * 4 + 2, C.data, C.elem_offset + tx * 8 + 4, T.bool(False))
