// Copies through registers in two parts: the loads, which may begin before a slot is free, and the stores.
#pragma once
#include <optional>
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

/// A copy to shared memory as the loads of what a thread copies into an array of its own, and the stores from there.
///
///     for v in 2: S[v, x] = G[v, x]   →   for v in unrolled(2): R[v] = G[v, x]
///                                         for v in unrolled(2): S[v, x] = R[v]
struct DividedCopy {
  device::Stmt loads, stores;
  std::vector<device::Buffer> arrays;  ///< by store of the copy, in program order
  std::int64_t bytes = 0;              ///< of all arrays
};

/// Divides a statement of which all stores copy elements of global memory, or zeros instead, to shared memory. `arrays`
/// are those that were made for the same statement before, if any; `made` is how many buffers have been made so far,
/// which numbers new ones. Returns nothing for other statements, where loops have no constant extent, and where the
/// copy is one thread's among several.
std::optional<DividedCopy> dividedCopy(const device::Stmt& copy, const std::vector<device::Buffer>& arrays,
                                       std::size_t made);

/// Returns the allocation of such an array.
device::Allocation allocationOf(const device::Buffer& array);

}  // namespace loom::lower
