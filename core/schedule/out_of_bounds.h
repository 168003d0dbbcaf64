// Accesses that certainly leave their buffers: each has an iteration in which every condition around it holds and the
// index is none of the buffer's.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

struct OutOfBounds {
  ir::Id block, buffer;
  std::string blockName, bufferName;
  bool writes = false;
  std::size_t dimension = 0;
  std::int64_t index = 0, extent = 0;  // in that iteration; of the dimension
};

// Of buffers whose memory is as large as they are declared: parameters, and global memory between nests; the memory
// that a nest has for itself is made as large as its accesses need. The first found of each buffer, read and written,
// in each block. Found by trying: where all indices are proven to lie inside nothing is tried; else corners of the
// loops, and some points between. What isn't found may still be there, what is found is. Indices and conditions that
// depend on loaded values or symbolic sizes are passed over.
std::vector<OutOfBounds> accessesOutOfBounds(const ir::Function& f);

}  // namespace loom::schedule
