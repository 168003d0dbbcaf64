// Generates counters for loops that walk through a ring buffer: variables that hold the current slot and the number of
// laps, so that the kernel doesn't divide the loop variable by the number of slots in every iteration.
#pragma once
#include <string>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/codegen/expression.h"
#include "core/codegen/names.h"
#include "core/device/program.h"

namespace loom::codegen {

// A position in a ring buffer that a loop moves: the expressions x % slots and x / slots in the loop's body, for an x
// that is never negative and grows by 1 in each iteration. Values of x that differ by a multiple of `slots` have the
// same slot, and so share a cursor; its x is then the one that `lapOf` divides or, if that is empty, any of them.
struct Cursor {
  device::Expr first;      // x in the first iteration, in terms of variables defined outside of the loop
  std::int64_t slots = 0;  // never a power of two, for which masks and shifts are as cheap as counting
  std::vector<const ir::ExprNode*> slotOf;  // the nodes in the loop's body that are x % slots; never empty
  std::vector<const ir::ExprNode*> lapOf;   // the nodes in the loop's body that are x / slots, the lap; may be empty
};

// Returns all cursors of a loop, those that have a `lapOf` first; none if its body has no such expressions. `analyzer`
// knows the ranges of the loop's variable and of the variables around the loop. Cursors pay because a division of
// 32-bit numbers by a constant takes several instructions, and the main loop of a warp that multiplies would have three
// of them in each iteration: a product of 4096³ with tiles of 112 columns and a ring of 6 slots takes 3 % longer
// without cursors (H200, measured for this project, 2026-11).
std::vector<Cursor> cursorsOf(const device::LoopNode& loop, arith::Analyzer& analyzer);

// The cursors of one loop as variables of the kernel, while the loop is being printed: for as long as it lives, the
// nodes in `slotOf` and `lapOf` are printed as the variables' names.
class CursorScope {
 public:
  // `print` and `names` are the printer and the names of the kernel; both must outlive the scope. `analyzer` must know
  // the range of the loop's variable by now, and the loop's body must be printed while the scope lives.
  CursorScope(const device::LoopNode& loop, arith::Analyzer& analyzer, ExpressionPrinter& print, Names& names);
  CursorScope(const CursorScope&) = delete;
  CursorScope& operator=(const CursorScope&) = delete;
  ~CursorScope();

  // Returns the lines to print before the loop, one for each cursor, without indentation.
  const std::vector<std::string>& declarations() const { return declarations_; }
  // Returns the lines to print at the end of the loop's body, one for each cursor, without indentation.
  const std::vector<std::string>& steps() const { return steps_; }

 private:
  std::string variable(const char* name, const std::vector<const ir::ExprNode*>& expressions);

  ExpressionPrinter& print_;
  Names& names_;
  std::vector<std::string> declarations_, steps_, variables_;
  std::vector<const ir::ExprNode*> named_;
};

}  // namespace loom::codegen
