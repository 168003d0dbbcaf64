// Blocks that read a buffer at several places, such as a product of a matrix with its own transpose, X[i, k] · X[j, k].
// TVM's primitives redirect all of a block's reads of a buffer together. With an annotation of the block that says at
// which place, cache_read redirects the reads at that place alone. TVM has no such annotation.
#pragma once
#include "core/schedule/tree.h"

namespace loom::schedule {

// Annotation of blocks: the number of a place, from 1 on, for the next cache_read of the block, which removes it.
// Places are the different indices (arith::deepEqual) at which the block's body (not its T.init) reads the buffer, in
// the order of the text, but for loads in the indices of a store, which come after those in its value.
inline constexpr const char* kReadPlace = "tileloom.place";

// Returns the places of a buffer as kReadPlace numbers them, each as the indices of the loads there.
std::vector<std::vector<ir::Expr>> readPlaces(const ir::BlockNode& block, const ir::Buffer& buffer);

// Returns the place of the buffer that the block's annotation kReadPlace names; no indices if it has no such
// annotation. Error "ValueError" if the annotation isn't a number from 1 to the number of places.
Result<std::vector<ir::Expr>> annotatedPlace(const ir::BlockNode& block, const ir::Buffer& buffer);

// Returns the block without the annotation kReadPlace, with what its body reads as its reads: a region for each buffer.
ir::Block withoutPlace(const ir::Block& block);

// Returns what a block reads by its body, T.init left out (arith::blockReadWrite): for each buffer the union of all
// reads, in the order of the text.
std::vector<ir::BufferRegion> readsOfBody(const ir::Block& block);

}  // namespace loom::schedule
