// Buffers that primitives make from other buffers and put in their place, and searches for the uses of a buffer.
#pragma once
#include <functional>

#include "core/ir/substitute.h"
#include "core/schedule/analysis.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns the buffer in another storage scope, whose name is appended to the buffer's: `A` becomes `A_shared` or
// `A_shared.dyn`, with a data variable of its own. `id` is the new buffer's id; it is the old one's if the new buffer
// takes its place.
ir::Buffer withScope(const ir::Buffer& buffer, const std::string& scope, Id id);

// Returns the buffer that replaces `view`, a view of a buffer that is replaced by `replacement`.
using ViewOf = std::function<ir::Buffer(const ir::Buffer& view, const ir::Buffer& replacement)>;
// Adds to `map`, from buffers to their replacements, the views (match_buffer) of buffers in the map, in the block and
// in the blocks inside it, and the views of these views, with their replacements by `viewOf`.
void addViews(const ir::BlockNode& block, ir::BufferMap& map, const ViewOf& viewOf);

// Returns the region of the buffer in a list, as a pointer into that list; null if there is none. Error "InternalError"
// if the list names the buffer twice, as in TVM.
Result<const ir::BufferRegion*> regionOf(const std::vector<ir::BufferRegion>& regions, const ir::Buffer& buffer);

// Returns the block that allocates the buffer, among `block` and the blocks around it. Error "NonAllocatedBufferError"
// for parameters and views.
Result<Id> checkAllocated(const Program& p, Id block, const ir::Buffer& buffer);

// The block within which all uses of a buffer are: the block that allocates the buffer; for a parameter of the
// function, the root block.
struct UseScope {
  Id block;
  bool isParameter = false;
};
// Returns the scope of a buffer that is used in `block`. Errors: "IndexError", as in TVM, for a view, and for a
// parameter if `block` isn't directly in the root block; "RootBlockError" if `block` is the root block and doesn't
// allocate the buffer.
Result<UseScope> useScope(const Program& p, Id block, const ir::Buffer& buffer);
// Replaces, in the draft (the program that a primitive is rewriting), the block of the scope by `rewritten`, which has
// the same id and already uses (and, if it allocates the buffer, allocates) `after` instead of `before`. If the buffer
// is a parameter of the function, the parameter is replaced, too.
void replaceBuffer(Draft& draft, const UseScope& scope, const ir::Block& rewritten, const ir::Buffer& before,
                   const ir::Buffer& after);

}  // namespace loom::schedule
