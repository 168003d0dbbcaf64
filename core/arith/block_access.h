// Derives the regions of buffers that a block reads and writes. They become the block's T.reads and T.writes if a
// script leaves these out, or if a schedule primitive changes the block's body. Source of the behaviour: TVM 0.22,
// tir::GetBlockAccessRegion and tir::GetBlockReadWriteRegion.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::arith {

// The buffers whose accesses are reported, by their data variable: parameters, allocations of the blocks around, views.
// Accesses to other buffers, which the block itself allocates, are not reported.
using KnownBuffers = std::unordered_map<const ir::VarNode*, ir::Buffer>;

// The accessed regions: one for each buffer, in the order of first access. A region is the union of all accesses to the
// buffer, as an interval in each dimension, where variables of loops inside the block take all values of their domains
// or, under conditions that bound single variables by constants, all values that meet the conditions.
// A child block accesses what its own reads and writes say and, as in TVM, also what its body accesses; the regions of
// its body still name the child's iteration variables, which aren't replaced by their values, so that regions may have
// variables that aren't in scope.
struct BlockAccess {
  std::vector<ir::BufferRegion> reads, writes;
  // Whole buffers whose data pointer escapes: `B.data` in a call, or a T.tvm_access_ptr for reading and writing.
  std::vector<ir::BufferRegion> opaque;
};

// Returns what a block reads and writes. If it has an init, what is written isn't reported as read. An access through a
// view (match_buffer) counts for the buffer that is viewed. Throws std::domain_error if an index divides by the
// constant 0.
BlockAccess blockAccess(const ir::Block& block, const KnownBuffers& known);

// Returns what `blockAccess` does, but a buffer in `opaque` stands at the end of the reads and of the writes, as a
// whole and without its other regions; `opaque` itself is empty.
BlockAccess blockReadWrite(const ir::Block& block, const KnownBuffers& known);

}  // namespace loom::arith
