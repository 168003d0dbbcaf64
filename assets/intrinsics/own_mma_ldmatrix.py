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
TEMPLATE = "mma_ldmatrix.py", "mma_ldmatrix_f16_a"

# 16 x 32 elements of 8 bits.
INTRINSICS = {
    "mma_ldmatrix_u8_a": {"element": "uint8", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 32, "LOCAL": 16, "row": s0 * (tx % 16) + 16 * (tx // 16)},
    "mma_ldmatrix_u8_b_trans": {"element": "uint8", "source": "shared", "TRANSPOSED": False, "ROWS": 16, "COLUMNS": 32, "LOCAL": 16, "row": s0 * 8 * (tx // 16) + tx % 8 * s0 + 16 * (tx % 16 // 8)},
}
TEMPLATE = "mma_ldmatrix.py", "mma_ldmatrix_i8_a"

# 32 x 16 elements of 8 bits, which ldmatrix can't transpose: each lane gathers what it holds, and is told the stride alone.
INTRINSICS = {
    "mma_ldmatrix_u8_b": {"element": "uint8", "source": "shared", "TRANSPOSED": True, "ROWS": 32, "COLUMNS": 16, "LOCAL": 16, "row": s0},
}
TEMPLATE = "mma_ldmatrix.py", "mma_ldmatrix_i8_b"
