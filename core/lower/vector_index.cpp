#include "core/lower/vector_index.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::lower {

using ir::Expr;
using ir::ExprKind;

std::optional<EvenLanes> evenLanes(const Expr& e) {
  if (e->kind == ExprKind::Ramp) return EvenLanes{ir::as<ir::RampNode>(e)->base, ir::as<ir::RampNode>(e)->stride};
  if (e->dtype.lanes == 1) return EvenLanes{e, ir::intImm(0, e->dtype)};
  if (e->kind == ExprKind::Broadcast) return evenLanes(ir::as<ir::BroadcastNode>(e)->value);
  const auto* sum = ir::asBinary(e, ExprKind::Add);
  if (!sum) return std::nullopt;
  const auto a = evenLanes(sum->a), b = evenLanes(sum->b);
  if (!a || !b) return std::nullopt;
  return EvenLanes{a->base + b->base, a->stride + b->stride};
}

bool isPacked(ir::DType loaded, const Expr& index) {
  return index->kind == ExprKind::Ramp && ir::isConst(ir::as<ir::RampNode>(index)->stride, 1) && loaded.bits == 8 &&
         loaded.lanes == 4;
}

}  // namespace loom::lower
