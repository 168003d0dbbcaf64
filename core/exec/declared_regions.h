// Do the blocks of a program touch only what they say? Schedules move blocks by the regions that T.reads and T.writes
// declare, so that a block that touches more may be moved where its values are wrong.
#pragma once
#include <map>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// Returns accesses outside the regions that the blocks around them declare (T.reads, T.writes), of each block and
// buffer the first that is found, with the values of the block's iterators. Only some points of the iteration space are
// tried: the first, the last and others of each loop. What a block reads of what it declares to write needs no T.reads;
// a block without iterators that declares nothing claims nothing. Memory inside a kernel (shared, local) that a block
// doesn't mention is no part of what it claims. Indices that depend on memory are followed if it is an input
// (`contents`, by position of the parameter).
std::vector<Finding> undeclaredAccesses(const ir::Function& function, const std::map<int, InputValues>& contents,
                                        std::uint64_t seed);

}  // namespace loom::exec
