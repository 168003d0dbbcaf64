# Loads an operand's tile from shared memory into a fragment: nvcuda::wmma::load_matrix_sync. ROWS x COLUMNS is the tile as
# it lies in shared memory; "col_major" says that it is the operand's transpose.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
ROWS = 16
COLUMNS = 16
INTRINSICS = {
    "wmma_load_16x16x16_f16_a_shared": {"element": "float16", "source": "shared", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_f16_a_shared_dyn": {"element": "float16", "source": "shared.dyn", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_f16_a_trans_shared": {"element": "float16", "source": "shared", "fragment": "wmma.matrix_a", "order": "col_major"},
    "wmma_load_16x16x16_f16_a_trans_shared_dyn": {"element": "float16", "source": "shared.dyn", "fragment": "wmma.matrix_a", "order": "col_major"},
    "wmma_load_16x16x16_f16_b_shared": {"element": "float16", "source": "shared", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_f16_b_shared_dyn": {"element": "float16", "source": "shared.dyn", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_f16_b_trans_shared": {"element": "float16", "source": "shared", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_16x16x16_f16_b_trans_shared_dyn": {"element": "float16", "source": "shared.dyn", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_16x16x16_s8_a_shared": {"element": "int8", "source": "shared", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_s8_a_shared_dyn": {"element": "int8", "source": "shared.dyn", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_s8_a_trans_shared": {"element": "int8", "source": "shared", "fragment": "wmma.matrix_a", "order": "col_major"},
    "wmma_load_16x16x16_s8_a_trans_shared_dyn": {"element": "int8", "source": "shared.dyn", "fragment": "wmma.matrix_a", "order": "col_major"},
    "wmma_load_16x16x16_s8_b_shared": {"element": "int8", "source": "shared", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_s8_b_shared_dyn": {"element": "int8", "source": "shared.dyn", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_s8_b_trans_shared": {"element": "int8", "source": "shared", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_16x16x16_s8_b_trans_shared_dyn": {"element": "int8", "source": "shared.dyn", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x8x32_s4_a_shared": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "int4", "source": "shared", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x8x32_s4_a_shared_dyn": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "int4", "source": "shared.dyn", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x8x32_s4_b_trans_shared": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "int4", "source": "shared", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x8x32_s4_b_trans_shared_dyn": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "int4", "source": "shared.dyn", "fragment": "wmma.matrix_b", "order": "col_major"},
}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (ROWS, COLUMNS), element, scope=source, offset_factor=COLUMNS)
    C = T.match_buffer(c, (ROWS, COLUMNS), element, scope=fragment, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(A[0:ROWS, 0:COLUMNS])
        T.writes(C[0:ROWS, 0:COLUMNS])
        for i, j in T.grid(ROWS, COLUMNS):
            with T.block("load"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    s1 = T.int32()
    s0 = T.int32()
    d1 = T.int32()
    d0 = T.int32()
    A = T.match_buffer(a, (ROWS, COLUMNS), element, strides=(s1, s0), scope=source, offset_factor=COLUMNS)
    C = T.match_buffer(c, (ROWS, COLUMNS), element, strides=(d1, d0), scope=fragment, offset_factor=COLUMNS)
    with T.block("root"):
        T.reads(A[0:ROWS, 0:COLUMNS])
        T.writes(C[0:ROWS, 0:COLUMNS])
        T.tvm_load_matrix_sync(C.data, M, N, K, C.elem_offset // d1 // ROWS * (d1 // COLUMNS) + C.elem_offset % d1 // COLUMNS, T.tvm_access_ptr(T.type_annotation(element), A.data, A.elem_offset, s1 * ROWS, 1), s1, order)
