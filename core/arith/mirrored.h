// Comparisons read from their other side.
#pragma once
#include "core/ir/expr.h"

namespace loom::arith {

// a < b is b > a; what is no inequality stays as it is.
inline ir::ExprKind swappedComparison(ir::ExprKind kind) {
  switch (kind) {
    case ir::ExprKind::LT: return ir::ExprKind::GT;
    case ir::ExprKind::LE: return ir::ExprKind::GE;
    case ir::ExprKind::GT: return ir::ExprKind::LT;
    case ir::ExprKind::GE: return ir::ExprKind::LE;
    default: return kind;
  }
}

}  // namespace loom::arith
