#include "core/device/lane_program.h"

#include <algorithm>

namespace loom::device {
namespace {

using ir::ExprKind;

constexpr int kBits = 64;

}  // namespace

int LaneProgram::add(const ir::Expr& e) {
  Expression added;
  added.from = int(nodes_.size());
  added.node = compiled(e);
  added.to = int(nodes_.size());
  expressions_.push_back(added);
  return int(expressions_.size()) - 1;
}

// Nodes that are equal are one.
int LaneProgram::made(Node node) {
  const auto isSame = [&](const Node& n) {
    return n.kind == node.kind && n.operation == node.operation && n.a == node.a && n.b == node.b && n.c == node.c &&
           (n.kind != Kind::Constant || n.result.one == node.result.one);
  };
  if (node.kind != Kind::Variable)
    if (const auto found = std::ranges::find_if(nodes_, isSame); found != nodes_.end())
      return int(found - nodes_.begin());
  for (const int operand : {node.a, node.b, node.c})
    if (operand >= 0) node.variables |= nodes_[std::size_t(operand)].variables;
  // What depends on no variable is never evaluated anew.
  if (node.variables == 0) evaluate(node);
  nodes_.push_back(node);
  return int(nodes_.size()) - 1;
}

int LaneProgram::variable(const ir::VarNode* var) {
  if (const auto at = bound_.find(var); at != bound_.end()) return at->second;
  if (const auto at = variables_.find(var); at != variables_.end()) return at->second;
  const int bit = std::min(int(variables_.size()), kBits - 1);
  return variables_[var] = made({.kind = Kind::Variable, .variables = std::uint64_t{1} << bit});
}

int LaneProgram::compiled(const ir::Expr& e) {
  if (const auto operands = laneOperandsOf(*e)) {
    const int a = compiled(*operands->a), b = compiled(*operands->b);
    return made({.kind = Kind::Combination, .operation = operands->operation, .a = a, .b = b});
  }
  switch (e->kind) {
    case ExprKind::Var: return variable(ir::as<ir::VarNode>(e));
    case ExprKind::IntImm:
      return made({.kind = Kind::Constant, .known = true, .result = ir::as<ir::IntImmNode>(e)->value});
    case ExprKind::Not: return made({.kind = Kind::Negation, .a = compiled(ir::as<ir::NotNode>(e)->a)});
    case ExprKind::Cast:
      if (!e->dtype.isIntegral() && !e->dtype.isBool()) break;
      return compiled(ir::as<ir::CastNode>(e)->value);
    case ExprKind::Select: {
      const auto& n = *ir::as<ir::SelectNode>(e);
      const int condition = compiled(n.condition), yes = compiled(n.yes), no = compiled(n.no);
      return made({.kind = Kind::Selection, .a = condition, .b = yes, .c = no});
    }
    case ExprKind::Let: {
      const auto& n = *ir::as<ir::LetNode>(e);
      const int value = compiled(n.value);
      const auto outer = bound_;
      bound_[n.var.get()] = value;
      const int body = compiled(n.body);
      bound_ = outer;
      return body;
    }
    default: break;
  }
  return made({});
}

int LaneProgram::variableOf(const ir::VarNode* var) const {
  const auto at = variables_.find(var);
  return at == variables_.end() ? -1 : at->second;
}

void LaneProgram::set(int variable, const LaneValues& value) {
  if (variable < 0) return;
  Node& node = nodes_[std::size_t(variable)];
  if (node.known && node.result == value) return;
  node.known = true;
  node.result = value;
  for (Expression& e : expressions_) e.stale |= node.variables;
}

void LaneProgram::evaluate(Node& node) {
  const auto at = [&](int number) -> const Node& { return nodes_[std::size_t(number)]; };
  switch (node.kind) {
    case Kind::Combination: {
      const Node &a = at(node.a), &b = at(node.b);
      node.known = a.known && b.known && combine(node.operation, a.result, b.result, node.result);
      return;
    }
    case Kind::Negation:
      node.known = at(node.a).known;
      if (node.known) negate(at(node.a).result, node.result);
      return;
    case Kind::Selection: {
      const Node &condition = at(node.a), &yes = at(node.b), &no = at(node.c);
      node.known = condition.known && yes.known && no.known;
      if (node.known) select(condition.result, yes.result, no.result, node.result);
      return;
    }
    default: return;
  }
}

const LaneValues* LaneProgram::value(int number) {
  // Operands may be nodes of expressions before it.
  for (int n = 0; n <= number; ++n) {
    Expression& e = expressions_[std::size_t(n)];
    if (e.stale == 0) continue;
    for (int i = e.from; i < e.to; ++i) {
      Node& node = nodes_[std::size_t(i)];
      if ((node.variables & e.stale) != 0) evaluate(node);
    }
    e.stale = 0;
  }
  const Node& node = nodes_[std::size_t(expressions_[std::size_t(number)].node)];
  return node.known ? &node.result : nullptr;
}

}  // namespace loom::device
