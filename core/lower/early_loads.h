// Copies from global to shared memory that are divided into loads to registers, which may begin before the slot of the
// ring buffer is free, and stores from there: by a pipeline, before the products of its turn, and by the pass
// `loads_before_barriers`, before the barrier that frees the slot.
#pragma once
#include <optional>
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

/// A copy to shared memory as two statements: each thread loads what it copies into an array of registers, and stores
/// the array.
///
///     for v in 2: S[v, x] = G[v, x]   →   for v in unrolled(2): R[v] = G[v, x]
///                                         for v in unrolled(2): S[v, x] = R[v]
///
/// Of copies of vectors, the array has the lanes of one as its last dimension.
struct DividedCopy {
  device::Stmt loads, stores;
  std::vector<device::Buffer> arrays;  ///< one for each store of the copy, in program order
  std::int64_t bytes = 0;              ///< size of all arrays of a thread, in bytes
};

/// Divides a statement all of whose stores copy elements of global memory, or zeros instead, to shared memory. `arrays`
/// are the arrays that an earlier call made for the same statement, so that another instance of it (another iteration
/// of a pipeline) uses them again; if it is empty, new ones are made, with `made`, `made` + 1 and so on in their ids.
/// Ids of a kernel must differ, so `made` is a number that no earlier array of the kernel has. The caller adds the new
/// arrays to the kernel's allocations (`allocationOf`). Returns nothing for other statements, if a loop has no constant
/// extent or goes over virtual threads, if a condition reads memory, if a store copies a vector of elements or zeros in
/// its place, and if only one of several threads does the copy.
std::optional<DividedCopy> dividedCopy(const device::Stmt& copy, const std::vector<device::Buffer>& arrays,
                                       std::size_t made);

/// Returns the allocation of an array of DividedCopy::arrays.
device::Allocation allocationOf(const device::Buffer& array);

}  // namespace loom::lower
