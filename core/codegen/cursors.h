// Places in rings that run along with a loop: text that counts them instead of dividing anew in each turn.
#pragma once
#include <string>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/codegen/expression.h"
#include "core/codegen/names.h"
#include "core/device/program.h"

namespace loom::codegen {

// Where a loop stands in a ring of slots: its expressions x % slots and x / slots, of an x that grows by 1 each turn.
struct Cursor {
  device::Expr first;                       // x in the loop's first turn; of variables around the loop alone
  std::int64_t slots = 0;                   // no power of two, of which masks and shifts are as cheap as counting
  std::vector<const ir::ExprNode*> slotOf;  // expressions of the loop's body that are x % slots; never empty
  std::vector<const ir::ExprNode*> lapOf;   // that are x / slots, laps; empty where nobody asks for them
};

// All cursors of a loop, those whose laps somebody asks for in front; none of a loop whose body has no such
// expressions. `analyzer` knows the ranges of the loop's variable and of those around it. A division of 32-bit numbers
// by a constant takes several instructions, and a turn of a warp that multiplies has three of them: 4096³ in tiles of
// 112 columns and a ring of 6 takes 3 % longer with them (H200, measured for this project, 2026-11).
std::vector<Cursor> cursorsOf(const device::LoopNode& loop, arith::Analyzer& analyzer);

// The cursors of one loop as variables of the kernel's text, for as long as the loop is being printed: what they count
// then prints as their names.
class CursorScope {
 public:
  // `print` and `names` are the kernel's and outlive this.
  CursorScope(const device::LoopNode& loop, arith::Analyzer& analyzer, ExpressionPrinter& print, Names& names);
  CursorScope(const CursorScope&) = delete;
  CursorScope& operator=(const CursorScope&) = delete;
  ~CursorScope();

  // Lines before the loop, one a cursor.
  const std::vector<std::string>& declarations() const { return declarations_; }
  // Lines at the end of the loop's body.
  const std::vector<std::string>& steps() const { return steps_; }

 private:
  std::string variable(const char* name, const std::vector<const ir::ExprNode*>& expressions);

  ExpressionPrinter& print_;
  Names& names_;
  std::vector<std::string> declarations_, steps_, variables_;
  std::vector<const ir::ExprNode*> named_;
};

}  // namespace loom::codegen
