// Copies of a buffer, of which each access says which one it means.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "core/device/program.h"

namespace loom::lower {

using Buffers = std::unordered_set<const ir::BufferNode*>;

// Returns the number of accesses to each buffer in a statement.
std::unordered_map<const ir::BufferNode*, int> countUses(const device::Stmt& s);
// Returns the buffers that the kernel allocates and that only this statement uses, in the order of the allocations.
std::vector<device::Buffer> ownedBy(const device::Stmt& s, const device::Kernel& kernel);

// Returns the number of elements of one version.
std::int64_t elementsEach(const device::Allocation& allocation);
// Gives the allocation `count` times as many versions. Its new first index chooses among them.
void multiply(device::Allocation& allocation, std::int64_t count);
// Returns whether the one statement may write an element that the other reads: not where all that they access is of
// different versions, by constant indices.
bool mayMeet(const device::Stmt& writer, const device::Stmt& reader, const device::Allocation& allocation);
// Returns the number of an iteration in the sequence of all iterations of nested loops, the outermost loop first.
// Versions that go on across the loops are chosen by it. Null for no loops.
device::Expr runningNumber(const std::vector<const device::LoopNode*>& loops, device::DType type);
// Returns `s` with `version` as the first index of each access to these buffers.
device::Stmt withVersion(const device::Stmt& s, const Buffers& buffers, const device::Expr& version);

}  // namespace loom::lower
