# Loads, fills and stores of fragments of the tiles and elements that wmma has and TVM has no intrinsics of. An operand
# lies by rows, or the second by columns (_trans); of elements that share bytes both lie along k.
from tvm.script import tir as T

EXECUTION = "warp"
M = 16
N = 16
K = 16
FORMS = {
    "_shared": {"source": "shared"},
    "_shared_dyn": {"source": "shared.dyn"},
}
INTRINSICS = {
    "wmma_load_16x16x16_bf16_a": {"ROWS": 16, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_bf16_b": {"ROWS": 16, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_bf16_b_trans": {"ROWS": 16, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_16x16x16_u8_a": {"ROWS": 16, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x16_u8_b": {"ROWS": 16, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x16_u8_b_trans": {"ROWS": 16, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_32x8x16_f16_a": {"M": 32, "N": 8, "ROWS": 32, "COLUMNS": 16, "element": "float16", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_32x8x16_f16_b": {"M": 32, "N": 8, "ROWS": 16, "COLUMNS": 8, "element": "float16", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_32x8x16_f16_b_trans": {"M": 32, "N": 8, "ROWS": 8, "COLUMNS": 16, "element": "float16", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_32x8x16_bf16_a": {"M": 32, "N": 8, "ROWS": 32, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_32x8x16_bf16_b": {"M": 32, "N": 8, "ROWS": 16, "COLUMNS": 8, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_32x8x16_bf16_b_trans": {"M": 32, "N": 8, "ROWS": 8, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_32x8x16_s8_a": {"M": 32, "N": 8, "ROWS": 32, "COLUMNS": 16, "element": "int8", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_32x8x16_s8_b": {"M": 32, "N": 8, "ROWS": 16, "COLUMNS": 8, "element": "int8", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_32x8x16_s8_b_trans": {"M": 32, "N": 8, "ROWS": 8, "COLUMNS": 16, "element": "int8", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_32x8x16_u8_a": {"M": 32, "N": 8, "ROWS": 32, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_32x8x16_u8_b": {"M": 32, "N": 8, "ROWS": 16, "COLUMNS": 8, "element": "uint8", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_32x8x16_u8_b_trans": {"M": 32, "N": 8, "ROWS": 8, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x32x16_f16_a": {"M": 8, "N": 32, "ROWS": 8, "COLUMNS": 16, "element": "float16", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x32x16_f16_b": {"M": 8, "N": 32, "ROWS": 16, "COLUMNS": 32, "element": "float16", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_8x32x16_f16_b_trans": {"M": 8, "N": 32, "ROWS": 32, "COLUMNS": 16, "element": "float16", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x32x16_bf16_a": {"M": 8, "N": 32, "ROWS": 8, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x32x16_bf16_b": {"M": 8, "N": 32, "ROWS": 16, "COLUMNS": 32, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_8x32x16_bf16_b_trans": {"M": 8, "N": 32, "ROWS": 32, "COLUMNS": 16, "element": "bfloat16", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x32x16_s8_a": {"M": 8, "N": 32, "ROWS": 8, "COLUMNS": 16, "element": "int8", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x32x16_s8_b": {"M": 8, "N": 32, "ROWS": 16, "COLUMNS": 32, "element": "int8", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_8x32x16_s8_b_trans": {"M": 8, "N": 32, "ROWS": 32, "COLUMNS": 16, "element": "int8", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x32x16_u8_a": {"M": 8, "N": 32, "ROWS": 8, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x32x16_u8_b": {"M": 8, "N": 32, "ROWS": 16, "COLUMNS": 32, "element": "uint8", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_8x32x16_u8_b_trans": {"M": 8, "N": 32, "ROWS": 32, "COLUMNS": 16, "element": "uint8", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_16x16x8_tf32_a": {"K": 8, "ROWS": 16, "COLUMNS": 8, "element": "float32", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_16x16x8_tf32_b": {"K": 8, "ROWS": 8, "COLUMNS": 16, "element": "float32", "fragment": "wmma.matrix_b", "order": "row_major"},
    "wmma_load_16x16x8_tf32_b_trans": {"K": 8, "ROWS": 16, "COLUMNS": 8, "element": "float32", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x8x32_u4_a": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "uint4", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x8x32_u4_b_trans": {"M": 8, "N": 8, "K": 32, "ROWS": 8, "COLUMNS": 32, "element": "uint4", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x8x128_b1_a": {"M": 8, "N": 8, "K": 128, "ROWS": 8, "COLUMNS": 128, "element": "uint1", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x8x128_b1_b_trans": {"M": 8, "N": 8, "K": 128, "ROWS": 8, "COLUMNS": 128, "element": "uint1", "fragment": "wmma.matrix_b", "order": "col_major"},
    "wmma_load_8x8x128_s1_a": {"M": 8, "N": 8, "K": 128, "ROWS": 8, "COLUMNS": 128, "element": "int1", "fragment": "wmma.matrix_a", "order": "row_major"},
    "wmma_load_8x8x128_s1_b_trans": {"M": 8, "N": 8, "K": 128, "ROWS": 8, "COLUMNS": 128, "element": "int1", "fragment": "wmma.matrix_b", "order": "col_major"},
}
TEMPLATE = "wmma_load.py", "wmma_load_16x16x16_f16_a_shared"

FORMS = {
    "": {},
}
INTRINSICS = {
    "wmma_fill_32x8x16_f32": {"M": 32, "N": 8, "acc": T.float32, "acc_type": "float32"},
    "wmma_fill_32x8x16_f16": {"M": 32, "N": 8, "acc": T.float16, "acc_type": "float16"},
    "wmma_fill_32x8x16_s32": {"M": 32, "N": 8, "acc": T.int32, "acc_type": "int32"},
    "wmma_fill_8x32x16_f32": {"M": 8, "N": 32, "acc": T.float32, "acc_type": "float32"},
    "wmma_fill_8x32x16_f16": {"M": 8, "N": 32, "acc": T.float16, "acc_type": "float16"},
    "wmma_fill_8x32x16_s32": {"M": 8, "N": 32, "acc": T.int32, "acc_type": "int32"},
    "wmma_fill_16x16x8_f32": {"K": 8, "acc": T.float32, "acc_type": "float32"},
    "wmma_fill_8x8x128_s32": {"M": 8, "N": 8, "K": 128, "acc": T.int32, "acc_type": "int32"},
}
TEMPLATE = "wmma_fill.py", "wmma_fill_16x16x16_f32"

FORMS = {
    "_global": {"target": "global"},
    "_shared": {"target": "shared"},
    "_shared_dyn": {"target": "shared.dyn"},
}
INTRINSICS = {
    "wmma_store_32x8x16_f32": {"M": 32, "N": 8, "element": "float32"},
    "wmma_store_32x8x16_f16": {"M": 32, "N": 8, "element": "float16"},
    "wmma_store_32x8x16_s32": {"M": 32, "N": 8, "element": "int32"},
    "wmma_store_8x32x16_f32": {"M": 8, "N": 32, "element": "float32"},
    "wmma_store_8x32x16_f16": {"M": 8, "N": 32, "element": "float16"},
    "wmma_store_8x32x16_s32": {"M": 8, "N": 32, "element": "int32"},
    "wmma_store_16x16x8_f32": {"K": 8, "element": "float32"},
    "wmma_store_8x8x128_s32": {"M": 8, "N": 8, "K": 128, "element": "int32"},
}
TEMPLATE = "wmma_store.py", "wmma_store_16x16x16_f32_global"
