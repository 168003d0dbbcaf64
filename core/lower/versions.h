// Versions of a buffer: several copies of it, such as the slots of a ring buffer. The first indices of each access
// choose the version.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "core/device/program.h"

namespace loom::lower {

// Buffers of a kernel, which owns them and must outlive the set.
using Buffers = std::unordered_set<const ir::BufferNode*>;

// Returns the number of accesses to each buffer that stand in a statement, however often loops repeat them. Buffers
// that it doesn't access have no entry.
std::unordered_map<const ir::BufferNode*, int> countUses(const device::Stmt& s);
// Returns the buffers that the kernel allocates and that only this statement uses, in the order of the allocations.
std::vector<device::Buffer> ownedBy(const device::Stmt& s, const device::Kernel& kernel);

// Returns the number of elements of one version of an allocation, with what it is padded by.
std::int64_t elementsEach(const device::Allocation& allocation);
// Gives an allocation `count` times as many versions. Accesses need a new first index, from 0 to count - 1, that
// chooses among them. `body` has all accesses there are: a vector in it that begins at a multiple of its width in one
// version does so in each, for which versions are padded where their elements are no such multiple.
void multiply(device::Allocation& allocation, std::int64_t count, const device::Stmt& body);
// Returns whether `writer` may write an element of the allocation's buffer that `reader` reads. False only if each
// write and each read are to different versions, known from constant indices, or if there are no such writes or reads.
bool mayMeet(const device::Stmt& writer, const device::Stmt& reader, const device::Allocation& allocation);
// Returns the number of an iteration in the sequence of all iterations of nested loops, the outermost loop first.
// Versions that go on across the loops are chosen by it. Null for no loops.
device::Expr runningNumber(const std::vector<const device::LoopNode*>& loops, device::DType type);
// Returns `s` with `version` as the first index of each access to these buffers.
device::Stmt withVersion(const device::Stmt& s, const Buffers& buffers, const device::Expr& version);

}  // namespace loom::lower
