// Checks that the blocks of a program access only the regions that T.reads and T.writes declare. Schedule steps move
// blocks by these regions, so that a block which accesses more may be moved to where it computes wrong values.
#pragma once
#include <map>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// Returns a finding for each block and buffer of which an access outside of the declared regions was found: the first
// such access, with the values of the block's iterators. Only some points of the iteration space are tried: the first,
// the last and others of each loop. A block may read what it declares to write without T.reads. Blocks without
// iterators that declare nothing aren't checked, nor are accesses to shared or local memory that the block doesn't
// declare at all. Indices that depend on memory are evaluated if the memory is an input; `contents` has the inputs by
// position of the parameter, and `seed` chooses the points.
std::vector<Finding> undeclaredAccesses(const ir::Function& function, const std::map<int, InputValues>& contents,
                                        std::uint64_t seed);

}  // namespace loom::exec
