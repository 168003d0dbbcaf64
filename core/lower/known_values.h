// What becomes of statements when more is known of their variables.
#pragma once
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// Simplifies statements by the ranges of the loops in them, and of nothing around them. What several statements share
// is simplified once: the turns of a pipeline have most of their expressions in common.
class KnownValues {
 public:
  // Returns `s` with simplified expressions and without branches that are never taken; null if nothing is left.
  device::Stmt simplified(const device::Stmt& s);

 private:
  device::Expr simplified(const device::Expr& e);
  void enter(const device::LoopNode& loop);

  arith::Analyzer analyzer_;
  std::unordered_map<device::Var, device::Expr> extents_;  // of the loops that were entered, by their variables
  std::unordered_map<device::Expr, device::Expr> known_;   // by expression: what it is under these extents
};

}  // namespace loom::lower
