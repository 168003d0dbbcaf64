// Accesses that certainly leave their buffers: each has an iteration in which every condition around it holds and the
// index is none of the buffer's.
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
  std::size_t dimension = 0;
  std::int64_t index = 0, extent = 0;  // in that iteration; of the dimension
};

// Returns accesses outside of buffers, of each buffer the first that is found, read and written, in each block. Only
// buffers whose memory is as large as they are declared are looked at: parameters, and global memory between nests; the
// memory that a nest has for itself is made as large as its accesses need. If all indices are proven to lie inside,
// nothing is tried; else corners of the loops are tried, and some points between. What is found is there, but there may
// be more. Indices and conditions that depend on loaded values or symbolic sizes are skipped.
std::vector<OutOfBounds> accessesOutOfBounds(const ir::Function& f);

}  // namespace loom::schedule
