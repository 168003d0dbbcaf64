// Shared memory of the other blocks of a cluster (Kernel::cluster), "distributed shared memory". Until `flatten` a
// buffer of scope kSharedCluster has all blocks' slices along its first dimension, of which each block holds one; after
// it a load from another block's slice is a call.
#pragma once
#include <optional>
#include <string_view>

#include "core/device/program.h"

namespace loom::device {

// A load from the shared memory of a block of the cluster, told by its number there (x fastest): the Load is the one
// that would read the executing block's own memory.
inline constexpr std::string_view kInBlock = "tileloom.in_block";
Expr inBlock(const Expr& load, const Expr& block);

// A load from the slice that another block of the cluster has in its shared memory.
struct LoadInBlock {
  const ir::LoadNode* load = nullptr;
  Expr block;
};
// Returns the parts of a load from another block's slice; nothing for any other expression.
std::optional<LoadInBlock> loadInBlock(const Expr& e);
std::optional<LoadInBlock> loadInBlock(const ir::CallNode& call);

// Returns the index that says in which block's slice an access by coordinates lies, for a buffer of scope
// kSharedCluster. Returns null for other buffers, and after the pass `flatten`.
Expr sliceOf(const Buffer& buffer, const std::vector<Expr>& at);

// Lines that a CUDA text begins with where a kernel has such loads.
extern const std::string_view kClusterLoadPreamble;

}  // namespace loom::device
