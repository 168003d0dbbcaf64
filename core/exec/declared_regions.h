// Checks that the blocks of a program access only the regions that T.reads and T.writes declare. Schedule steps move
// blocks by these regions, so that a block which accesses more may be moved to where it computes wrong values.
#pragma once
#include <map>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// Returns a finding for each block and buffer, and separately for reads and writes, of which an access outside of the
// declared regions was found: the first one that was tried, with the values of the block's iterators. Only some points
// of the iteration space are tried, which `seed` chooses: the first, the last and others of each loop. So no finding
// proves nothing. The function must have no symbols (lower::instance). A block may also read what T.writes declares.
// Not checked are: blocks without iterators that declare nothing; accesses to shared or local memory that the block
// doesn't declare at all; accesses outside of the buffer; and what depends on the content of memory (by an index, an
// extent or a condition), unless that memory is a parameter which the function doesn't write and `contents` has it, by
// the position of the parameter from 0.
std::vector<Finding> undeclaredAccesses(const ir::Function& function, const std::map<int, InputValues>& contents,
                                        std::uint64_t seed);

}  // namespace loom::exec
