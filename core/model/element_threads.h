#pragma once

#include "core/model/ownership.h"

/// Which threads access an element of a buffer, by name.
namespace loom::model {

/// A thread by the numbers of its block and, in the block, of itself; x counts fastest. For a tile of a warp's
/// operation it is the first thread of the warp.
struct AccessingThread {
  std::int64_t block = 0, thread = 0;
  friend auto operator<=>(const AccessingThread&, const AccessingThread&) = default;
};

/// The threads that access one element.
struct ElementThreads {
  std::vector<AccessingThread> all;  ///< each once, however often it accesses the element; by block, then thread
  std::int64_t blocks = 0;           ///< different blocks among them
  bool complete = true;              ///< false: there are more
};

/// Returns all threads that access the element, including those that differ only along axes of the grid and the block
/// on which the index does not depend. For shared memory only threads of block `whose.block` are considered; for
/// registers and fragments only the thread `whose` or its warp. At most `atMost` threads are looked at. Errors: those
/// of `separate` and `spanOf`.
Result<ElementThreads> threadsOfElement(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                                        const AccessingThread& whose, std::int64_t atMost = 1 << 16);

}  // namespace loom::model
