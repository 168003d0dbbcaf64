// Which regions of which buffers a block reads and writes, seen from outside: what T.reads and T.writes say when the
// script leaves them out, and what they become when a primitive changes a body.
// Source of the behaviour: TVM 0.22, tir::GetBlockAccessRegion and tir::GetBlockReadWriteRegion.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::arith {

// The buffers that count, by data variable: parameters, allocations of the blocks around, views. Accesses to other
// buffers (those that the block itself allocates) are not reported.
using KnownBuffers = std::unordered_map<const ir::VarNode*, ir::Buffer>;

// Regions in order of first access, one per buffer, the union (as intervals per dimension) of all accesses. Loops
// inside the block are relaxed to their domains; of child blocks, what their signatures say is taken.
struct BlockAccess {
  std::vector<ir::BufferRegion> reads, writes;
  std::vector<ir::BufferRegion> opaque;  // whole buffers whose data pointer escapes (`B.data` in a call)
};

// Returns what a block reads and writes. If it has an init, what is written isn't reported as read. An access through a
// view (match_buffer) counts for the buffer that is viewed.
BlockAccess blockAccess(const ir::Block& block, const KnownBuffers& known);

// Returns the same with opaque accesses added, as reads and as writes of the whole buffer, after the others; `opaque`
// is empty.
BlockAccess blockReadWrite(const ir::Block& block, const KnownBuffers& known);

}  // namespace loom::arith
