// Buffers that primitives make from others, and region lists under such a change.
#pragma once
#include <functional>

#include "core/ir/substitute.h"
#include "core/schedule/analysis.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns the buffer in another storage scope: `A` becomes `A_shared`, with a data variable of its own. `id` is the new
// buffer's id; it is the old one's if the new buffer takes its place.
ir::Buffer withScope(const ir::Buffer& buffer, const std::string& scope, Id id);

// Returns what a view of a buffer becomes where the buffer is exchanged: of the view and the buffer's replacement.
using ViewOf = std::function<ir::Buffer(const ir::Buffer& view, const ir::Buffer& replacement)>;
// Adds to the map what the views (match_buffer) of its buffers in the block become, and the views of these.
void addViews(const ir::BlockNode& block, ir::BufferMap& map, const ViewOf& viewOf);

// Returns the region of the buffer in a list; null if there is none. Error "InternalError" if the list names the buffer
// twice, as in TVM.
Result<const ir::BufferRegion*> regionOf(const std::vector<ir::BufferRegion>& regions, const ir::Buffer& buffer);

// Returns the block that allocates the buffer, seen from `block`. Error "NonAllocatedBufferError" for parameters and
// views.
Result<Id> checkAllocated(const Program& p, Id block, const ir::Buffer& buffer);

// Where all uses of a buffer are: in the block that allocates it, or, for a parameter, in the scope of the block from
// which it is seen. Error "IndexError", as in TVM, for a view, or for a parameter seen from a block inside another.
struct UseScope {
  Id block;
  bool isParameter = false;
};
Result<UseScope> useScope(const Program& p, Id block, const ir::Buffer& buffer);
// Puts the scope, rewritten to another buffer, in its place; a parameter is exchanged, too.
void replaceBuffer(Draft& draft, const UseScope& scope, const ir::Block& rewritten, const ir::Buffer& before,
                   const ir::Buffer& after);

}  // namespace loom::schedule
