// Loads from the shared memory of other blocks of a cluster (Kernel::cluster), "distributed shared memory". A buffer of
// the scope kSharedCluster (memory_place.h) has a slice for each block of the cluster, which lies in that block's
// shared memory. Before the pass `flatten`, which makes the indices of an access one, the index of the buffer's first
// dimension chooses the slice; after it, a load from another block's slice is a call of kInBlock.
#pragma once
#include <optional>
#include <string_view>

#include "core/device/program.h"

namespace loom::device {

// The name of the call that loads from the shared memory of a given block of the cluster.
inline constexpr std::string_view kInBlock = "tileloom.in_block";
// Returns the call of kInBlock that loads from the shared memory of a block of the cluster. `block` is the block's
// number in the cluster, counted along x first; `load` is the Load that would read the same element of the executing
// block's own memory.
Expr inBlock(const Expr& load, const Expr& block);

// The arguments of a call of kInBlock, as in `inBlock`. `load` is never null and lives as long as the call.
struct LoadInBlock {
  const ir::LoadNode* load = nullptr;
  Expr block;
};
// Return the arguments of a call of kInBlock; nothing for any other expression.
std::optional<LoadInBlock> loadInBlock(const Expr& e);
std::optional<LoadInBlock> loadInBlock(const ir::CallNode& call);

// Returns, for an access of a buffer of scope kSharedCluster at the indices `at`, the index that chooses the slice. In
// `at`, indices of the buffer's versions may stand before those of its dimensions. Returns null for other buffers, and
// after the pass `flatten`.
Expr sliceOf(const Buffer& buffer, const std::vector<Expr>& at);

// CUDA definitions that a text begins with if a kernel in it has calls of kInBlock, which are printed as
// cluster_load<T>(address, block), and those for elements of one byte, which alone are cluster_load_byte<T>(…).
extern const std::string_view kClusterLoadPreamble, kClusterLoadBytePreamble;

}  // namespace loom::device
