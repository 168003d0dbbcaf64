// Which loops of a scheduled function may run a sample of their iterations without changing the values that the
// iterations which do run compute.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// What leaving out iterations of a loop does to the outputs.
struct LoopEffect {
  // Whether leaving out iterations only leaves elements of outputs unwritten. True only if the loop's variable is used
  // only in the values of spatial iterators, or inside a block to choose the elements that are stored, and no reduction
  // outside of the loop (a sum, a maximum, …) combines elements that different iterations of the loop write.
  bool mayBeSampled = false;
  std::string thread;  // the thread axis that the loop is bound to, "threadIdx.x"; "" if it isn't bound
  // Data variables, of the function, of the buffers that blocks inside the loop write at elements chosen by its
  // variable.
  std::set<const ir::VarNode*> writes;
  std::set<ir::Id> blocks;  // the program's blocks (T.block) inside the loop, also those inside of others
};

// Returns the effect of leaving out iterations for each loop of a function, by the loop's id.
std::map<ir::Id, LoopEffect> loopEffects(const ir::Function& function);

}  // namespace loom::exec
