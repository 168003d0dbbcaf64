// Finds accesses outside of their buffers. For each one found there is an iteration in which every condition around the
// access holds and an index is negative or not less than the dimension's extent.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

// An access outside of its buffer, in one iteration.
struct OutOfBounds {
  ir::Id block, buffer;
  std::string blockName, bufferName;
  bool writes = false;
  std::size_t dimension = 0;           // the dimension whose index is outside, from 0
  std::int64_t index = 0, extent = 0;  // the index in that iteration, and the extent of the dimension
};

// Returns accesses outside of buffers: for each block and buffer, the first read and the first write that is found.
// Only buffers whose memory is as large as declared are examined, which are parameters and global memory between
// kernels; a buffer within one kernel is made as large as its accesses need. An index that isn't proven to lie inside
// is evaluated at the first and last iterations of the loops and at some between, so some accesses outside may not be
// found. Accesses whose index, or a condition around which, depends on loaded values or symbolic sizes are skipped.
std::vector<OutOfBounds> accessesOutOfBounds(const ir::Function& f);

}  // namespace loom::schedule
