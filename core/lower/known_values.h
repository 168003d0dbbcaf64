// Simplifies statements by the values that their loop variables can have.
#pragma once
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// Simplifies statements by the ranges of the loops in them; those of the loops around them, of threadIdx and of
// blockIdx are not used. One object serves several statements of a kernel, in which a loop may have different extents:
// expressions that they share are simplified once. The prologue, steady loop and epilogue of a pipeline have most
// expressions in common.
class KnownValues {
 public:
  // Returns `s` with simplified expressions and without branches that are never taken; loops stay, whatever their
  // extents. Returns null if nothing is left, and for null.
  device::Stmt simplified(const device::Stmt& s);

 private:
  device::Expr simplified(const device::Expr& e);
  void enter(const device::LoopNode& loop);

  arith::Analyzer analyzer_;
  std::unordered_map<device::Var, device::Expr> extents_;  // of the loops that were entered, by their variables
  std::unordered_map<device::Expr, device::Expr> known_;   // by expression: what it is under these extents
};

}  // namespace loom::lower
