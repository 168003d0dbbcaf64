// Variables that a program uses where nothing declares them. TVM accepts some: what it prints is no program then.
#pragma once
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::ir {

// A variable that is used where nothing declares it.
struct Undeclared {
  const VarNode* var = nullptr;
  Id block;               // the innermost block with a name whose predicate, binding or statements use it
  std::string blockName;  // "" outside of any
};

// Returns the variables that nothing declares, each once for a block, in program order. Regions (T.reads, T.writes) are
// skipped, because TVM leaves such variables there without harm (verify.h, `InRegions`).
std::vector<Undeclared> undeclaredVariables(const Function& f);

}  // namespace loom::ir
