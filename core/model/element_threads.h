#pragma once

#include "core/model/ownership.h"

/// Lists the threads that access an element of a buffer.
namespace loom::model {

/// A thread, given by the number of its block in the grid and its own number in the block; both are counted along x
/// first. For a tile that a warp accesses as a whole it is the first thread of the warp.
struct AccessingThread {
  std::int64_t block = 0, thread = 0;
  friend auto operator<=>(const AccessingThread&, const AccessingThread&) = default;
};

/// The threads that access one element.
struct ElementThreads {
  std::vector<AccessingThread> all;  ///< each thread once, however often it accesses the element; by block, then thread
  std::int64_t blocks = 0;           ///< number of different blocks in `all`
  bool complete = true;              ///< false: there may be more threads than `all` has
};

/// Returns the threads that access the element with the offset `element` in the flat buffer, including those that
/// differ only along axes of the grid and the block on which the index does not depend; without those that the access's
/// guards exclude, where a guard that can't be evaluated is taken to hold. `kernel` lists the kernel's accesses and
/// loops, and `access` is one of them. For global memory `whose` is ignored; for shared memory only threads of block
/// `whose.block` are considered; for registers and fragments only the thread `whose` or its warp. At most `atMost`
/// threads are looked at. Errors: "NotSeparable" if the index reads memory or isn't a sum of terms of few variables
/// each, or the rows of a tile are an unknown distance apart; "TooMany" if a variable takes millions of values.
Result<ElementThreads> threadsOfElement(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                                        const AccessingThread& whose, std::int64_t atMost = 1 << 16);

}  // namespace loom::model
