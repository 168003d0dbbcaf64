// Do the blocks of a program touch only what they say? Schedules move blocks by the regions that T.reads and T.writes
// declare, so that a block that touches more may be moved where its values are wrong.
#pragma once
#include <map>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// Accesses outside the regions of a block around them, at points of the iteration space: the first, the last, and
// others of each loop. The first of each block and buffer, with the values of the block's iterators. What a block reads
// of what it declares to write needs no T.reads; a block without iterators that declares nothing claims nothing.
// Memory inside a kernel (shared, local) that a block doesn't mention is no part of what it claims. Indices that depend
// on memory are followed where it is an input (`contents`, by position).
std::vector<Finding> undeclaredAccesses(const ir::Function& function, const std::map<int, InputValues>& contents,
                                        std::uint64_t seed);

}  // namespace loom::exec
