// Which loops of a scheduled function may run a sample of their iterations and leave everything that does run as it is.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// What leaving out iterations of a loop does to the outputs.
struct LoopEffect {
  // Its variable reaches only spatial iterators, or inside a block chooses the elements that are stored, and nobody
  // outside it sums up what it writes: leaving out iterations leaves out elements of outputs, no more.
  bool mayBeSampled = false;
  std::string thread;                   // "" for loops that aren't bound
  std::set<const ir::VarNode*> writes;  // data of the buffers whose elements depend on the variable
  std::set<ir::Id> blocks;              // all blocks inside
};

// Returns what each loop of a function does, by the loop's id.
std::map<ir::Id, LoopEffect> loopEffects(const ir::Function& function);

}  // namespace loom::exec
