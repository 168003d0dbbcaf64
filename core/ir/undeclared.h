// Finds variables that a program uses without declaring them. TVM's primitives can produce such programs, whose printed
// text TVM's parser then refuses.
#pragma once
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// A variable that is used where nothing declares it.
struct Undeclared {
  const VarNode* var = nullptr;  // part of the function that was searched
  // The innermost block whose name isn't "" and whose predicate, bindings or statements use it; it may be the root.
  Id block;
  std::string blockName;  // the name of that block; "" (and `block` none) if the use is in no named block
};

// Returns the undeclared variables in program order, each once for every block that uses it; empty if there are none.
// Regions (T.reads, T.writes) are skipped, because TVM's primitives leave variables of an inner block in the regions
// of an outer one, without harm.
std::vector<Undeclared> undeclaredVariables(const Function& f);

}  // namespace loom::ir
