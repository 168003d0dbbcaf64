#pragma once

#include <string>
#include <vector>

#include "app/session/program.h"

namespace loom::session {

/// Why a barrier stands, as far as one buffer is concerned: what threads do to it before and after the barrier.
struct BarrierReason {
  enum class Kind { kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite } kind = Kind::kReadAfterWrite;
  std::string buffer;
  std::vector<std::string> before, after;  ///< names of the blocks that access it; empty: blocks without a name
};

/// A barrier of a kernel: a statement at which all threads of a block wait for each other.
struct Barrier {
  int line = 0;         ///< of the CUDA text, from 1
  double perBlock = 1;  ///< how often a block executes it
  bool atMost = false;  ///< whether a condition may skip it, so that a block executes it up to `perBlock` times
  bool varies = false;  ///< whether a loop around it has no constant extent: `perBlock` is for one iteration of that
  std::vector<BarrierReason> reasons;  ///< empty for a barrier of the program's own that orders no accesses
};

/// Returns the barriers of a program's kernels in the order of their lines; empty if the state is no kernel.
const std::vector<Barrier>& barriersOf(const Program& program);

}  // namespace loom::session
