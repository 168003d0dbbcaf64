#include "core/schedule/linear_index.h"

namespace loom::schedule {

using namespace ir;

int LinearIndex::plain() const {
  if (constant != 0) return -1;
  int found = -1;
  for (std::size_t n = 0; n < of.size(); ++n) {
    if (of[n] == 0) continue;
    if (of[n] != 1 || found >= 0) return -1;
    found = int(n);
  }
  return found;
}

std::optional<LinearIndex> linearIndex(const BlockNode& block, const Expr& index) {
  LinearIndex sum{std::vector<std::int64_t>(block.iters.size(), 0), 0};
  if (const IntImmNode* number = asInt(index)) {
    sum.constant = number->value;
    return sum;
  }
  for (std::size_t n = 0; n < block.iters.size(); ++n) {
    if (index.get() != block.iters[n].var.get()) continue;
    sum.of[n] = 1;
    return sum;
  }
  const BinaryNode* binary = asBinary(index);
  if (binary == nullptr) return std::nullopt;
  const auto a = linearIndex(block, binary->a), b = linearIndex(block, binary->b);
  if (!a || !b) return std::nullopt;
  const auto isNumber = [](const LinearIndex& l) {
    return std::ranges::all_of(l.of, [](std::int64_t coefficient) { return coefficient == 0; });
  };
  const auto combined = [&](std::int64_t timesA, std::int64_t timesB) {
    for (std::size_t n = 0; n < sum.of.size(); ++n) sum.of[n] = timesA * a->of[n] + timesB * b->of[n];
    sum.constant = timesA * a->constant + timesB * b->constant;
    return sum;
  };
  switch (index->kind) {
    case ExprKind::Add: return combined(1, 1);
    case ExprKind::Sub: return combined(1, -1);
    case ExprKind::Mul:
      if (isNumber(*b)) return combined(b->constant, 0);
      if (isNumber(*a)) return combined(0, a->constant);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace loom::schedule
