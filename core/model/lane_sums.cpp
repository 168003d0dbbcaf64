#include "core/model/lane_sums.h"

#include <algorithm>

#include "core/ir/visit.h"

namespace loom::model {
namespace {

using ir::ExprKind;

// Whether an expression has a value whatever values its variables have.
bool alwaysHasValue(const ir::Expr& e) {
  if (!e->dtype.isIntegral() && !e->dtype.isBool()) return false;
  switch (e->kind) {
    case ExprKind::Var:
    case ExprKind::IntImm: return true;
    case ExprKind::Not: return alwaysHasValue(ir::as<ir::NotNode>(e)->a);
    case ExprKind::Cast: return alwaysHasValue(ir::as<ir::CastNode>(e)->value);
    case ExprKind::Select: {
      const auto& n = *ir::as<ir::SelectNode>(e);
      return alwaysHasValue(n.condition) && alwaysHasValue(n.yes) && alwaysHasValue(n.no);
    }
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod: {
      const auto& n = *ir::as<ir::BinaryNode>(e);
      return ir::constantOr(n.b, 0) != 0 && alwaysHasValue(n.a);
    }
    default: {
      if (!ir::isBinary(e->kind)) return false;
      const auto& n = *ir::as<ir::BinaryNode>(e);
      return alwaysHasValue(n.a) && alwaysHasValue(n.b);
    }
  }
}

}  // namespace

LaneSums::LaneSums(const device::Kernel& kernel, std::span<const Variable> variables)
    : kernel_(kernel), values_(variables.size()), inAlike_(variables.size(), -1) {
  for (const Variable& v : variables) variables_.push_back(v.var);
}

std::optional<int> LaneSums::add(const std::vector<Term>& terms) {
  Sum sum;
  std::vector<Term> alike, ofThreads;
  for (const Term& term : terms) {
    if (!term.atom) {
      sum.constant += term.coefficient;
      continue;
    }
    bool threads = false, others = false, known = alwaysHasValue(term.atom);
    ir::forEachExpr(term.atom, [&](const ir::Expr& e) {
      const ir::VarNode* var = ir::asVar(e);
      if (var == nullptr) return;
      const bool isThread =
          std::ranges::any_of(kernel_.threadIdx, [&](const ir::Var& thread) { return thread.get() == var; });
      (isThread ? threads : others) = true;
      known &= isThread || std::ranges::find(variables_, var) != variables_.end();
    });
    if (!known || (threads && others)) return std::nullopt;
    const auto variable = std::ranges::find(variables_, ir::asVar(term.atom));
    if (threads) {
      ofThreads.push_back(term);
    } else if (variable != variables_.end()) {
      sum.variables.push_back({term.coefficient, int(variable - variables_.begin())});
    } else {
      alike.push_back(term);
    }
  }
  for (const Term& term : alike) sum.alike.push_back({term.coefficient, alike_.add(term.atom)});
  for (const Term& term : ofThreads) sum.ofThreads.push_back({term.coefficient, ofThreads_.add(term.atom)});
  for (std::size_t v = 0; v < variables_.size(); ++v) inAlike_[v] = alike_.variableOf(variables_[v]);
  sums_.push_back(std::move(sum));
  return int(sums_.size()) - 1;
}

void LaneSums::place(int warp) {
  device::WarpState state;
  state.place(kernel_, 0, warp);
  for (const ir::Var& thread : kernel_.threadIdx) ofThreads_.set(thread.get(), *state.evaluate(thread));
  for (std::size_t v = 0; v < values_.size(); ++v) alike_.set(inAlike_[v], values_[v]);
  for (Sum& sum : sums_) {
    std::array<std::int64_t, layout::kLanes> each{};
    for (const Summand& part : sum.ofThreads) {
      const device::LaneValues& made = *ofThreads_.value(part.number);
      for (int lane = 0; lane < layout::kLanes; ++lane) each[std::size_t(lane)] += part.coefficient * made[lane];
    }
    sum.inFirstLane = each.front();
    for (std::int64_t& value : each) value -= sum.inFirstLane;
    const auto [least, most] = std::ranges::minmax_element(each);
    sum.distances.least = *least, sum.distances.most = *most;
    sum.distances.each.uniform = *least == *most;
    if (!sum.distances.each.uniform) sum.distances.each.each = each;
  }
}

void LaneSums::set(std::size_t variable, std::int64_t value) {
  values_[variable] = value;
  alike_.set(inAlike_[variable], value);
}

std::int64_t LaneSums::first(int number) {
  const Sum& sum = sums_[std::size_t(number)];
  std::int64_t value = sum.constant + sum.inFirstLane;
  for (const Summand& part : sum.variables) value += part.coefficient * values_[std::size_t(part.number)];
  for (const Summand& part : sum.alike) value += part.coefficient * alike_.value(part.number)->one;
  return value;
}

}  // namespace loom::model
