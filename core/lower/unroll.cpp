#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"

namespace loom::lower {
namespace {

using namespace device;

constexpr int kDeepest = 8;  // TVM's auto_max_depth: an automatically unrolled loop has at most so many inside

class Unrolling {
 public:
  explicit Unrolling(const Kernel& kernel) {
    for (int axis = 0; axis < 3; ++axis) {
      analyzer_.bind(kernel.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel.block[axis])}, true);
      analyzer_.bind(kernel.blockIdx[axis], ir::Range{ir::intImm(0), kernel.gridExtent(axis)}, true);
    }
  }

  Stmt walk(const Stmt& s) {
    switch (s->kind) {
      case StmtKind::Store:
      case StmtKind::Operation: ++inside_.steps; return s;
      case StmtKind::Sync: return s;
      case StmtKind::If: return mapChildren(s, [&](const Stmt& child) { return walk(child); });
      case StmtKind::Block: return block(s);
      case StmtKind::Loop: return loop(s);
      case StmtKind::Seq: break;
    }
    // What stands side by side counts together in steps, and by the deepest in depth.
    return mapChildren(s, [&](const Stmt& child) {
      const Inside before = std::exchange(inside_, {});
      Stmt result = walk(child);
      inside_.steps += before.steps;
      inside_.loops = std::max(inside_.loops, before.loops);
      inside_.unrolled = std::max(inside_.unrolled, before.unrolled);
      return result;
    });
  }
  std::optional<Error> error;

 private:
  // What has been met below the current statement: loops that stay, depth of those that don't, stores and operations.
  struct Inside {
    int loops = 0, unrolled = 0;
    std::int64_t steps = 0;
  };

  Stmt block(const Stmt& s) {
    const auto& n = *as<BlockNode>(s);
    const auto outer = std::pair(most_, explicit_);
    for (const auto& [key, value] : unrollAnnotations(n.annotations)) {
      const auto number = numberOf(value);
      if (!number && !error) {
        error =
            notAKernel(n.name.empty() ? message("the annotation \"{}\" of a loop is no whole number", key)
                                      : message("the annotation \"{}\" of block {} is no whole number", key, n.name),
                       n.block ? std::vector<Id>{n.block} : std::vector<Id>{})
                .value();
      }
      if (!number) continue;
      if (key == kUnrollSteps) most_ = *number;
      if (key == kUnrollExplicit) explicit_ = *number != 0;
      if (!explicit_) explicit_ = true;
    }
    Stmt body = walk(n.body);
    std::tie(most_, explicit_) = outer;
    const bool forThese = n.name.empty() && unrollAnnotations(n.annotations).size() == n.annotations.size();
    return forThese ? body : edit<BlockNode>(s, [&](BlockNode& b) { b.body = body; });
  }

  Stmt loop(const Stmt& s) {
    const auto& n = *as<LoopNode>(s);
    analyzer_.bind(n.var, ir::Range{ir::intImm(0, n.var->dtype), n.extent}, true);
    Stmt body = walk(n.body);
    const auto* extent = ir::asInt(n.extent);
    const bool fits = extent && inside_.steps > 0 && most_ / inside_.steps >= extent->value;
    const bool automatic = n.use == LoopUse::Serial && inside_.loops == 0 && inside_.unrolled <= kDeepest && fits;
    if (!automatic && !(n.unrolled() && extent)) {
      ++inside_.loops;
      return edit<LoopNode>(s, [&](LoopNode& m) { m.body = body; });
    }
    ++inside_.unrolled;
    inside_.steps *= extent->value;
    if (explicit_.value_or(false)) return repeated(n, body, extent->value);
    return edit<LoopNode>(s, [&](LoopNode& m) {
      m.body = body;
      m.use = LoopUse::Unrolled;
    });
  }

  Stmt repeated(const LoopNode& n, const Stmt& body, std::int64_t times) {
    std::vector<Stmt> all;
    for (std::int64_t i = 0; i < times; ++i)
      all.push_back(simplified(copyOf(device::substitute(body, n.var, ir::intImm(i, n.var->dtype)))));
    return seq(std::move(all));
  }

  // With indices and conditions by the number of the iteration: a branch that it decides is none.
  Stmt simplified(const Stmt& s) {
    if (!s) return s;
    Stmt simple = mapExpressions(s, [&](const Expr& e) { return e ? analyzer_.simplify(e) : e; });
    if (simple->kind == StmtKind::If) {
      const auto& n = *as<IfNode>(simple);
      if (ir::isTrue(n.condition)) return simplified(n.yes);
      if (ir::isFalse(n.condition)) return simplified(n.no);
    }
    return mapChildren(simple, [&](const Stmt& child) { return simplified(child); });
  }

  arith::Analyzer analyzer_;
  std::int64_t most_ = 0;         // steps of a loop that is unrolled by itself
  std::optional<bool> explicit_;  // whether statements are repeated; nothing outside of annotations
  Inside inside_;
};

}  // namespace

Result<void> unrollLoops(Kernel& kernel) {
  bool asked = false;
  forEach(kernel.body, [&](const Stmt& s) {
    asked |= s->kind == StmtKind::Block && !unrollAnnotations(as<BlockNode>(s)->annotations).empty();
    return !asked;
  });
  if (!asked) return {};
  Unrolling unrolling(kernel);
  Stmt body = unrolling.walk(kernel.body);
  if (unrolling.error) return Failure(*unrolling.error);
  kernel.body = std::move(body);
  return {};
}

}  // namespace loom::lower
