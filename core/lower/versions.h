// Copies of a buffer, of which each access says which one it means.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "core/device/program.h"

namespace loom::lower {

using Buffers = std::unordered_set<const ir::BufferNode*>;

// The number of accesses of each buffer in a statement.
std::unordered_map<const ir::BufferNode*, int> countUses(const device::Stmt& s);
// The buffers that the kernel allocates and uses nowhere but in the statement, in the order of the allocations.
std::vector<device::Buffer> ownedBy(const device::Stmt& s, const device::Kernel& kernel);

// The elements of one version.
std::int64_t elementsEach(const device::Allocation& allocation);
// The allocation has `count` times as many versions, of which the new index, the first, chooses.
void multiply(device::Allocation& allocation, std::int64_t count);
// Whether the one statement may write an element that the other reads: not where all that they access is of different
// versions, by constant indices.
bool mayMeet(const device::Stmt& writer, const device::Stmt& reader, const device::Allocation& allocation);
// The number of an iteration among all that loops have together, the outermost first: what goes on across them takes
// turns with versions by it. Null for no loops.
device::Expr runningNumber(const std::vector<const device::LoopNode*>& loops, device::DType type);
// s, which accesses these buffers, with `version` as the first index of each access.
device::Stmt withVersion(const device::Stmt& s, const Buffers& buffers, const device::Expr& version);

}  // namespace loom::lower
