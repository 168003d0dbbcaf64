#pragma once

#include <cstdint>
#include <optional>
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

/// The mbarrier that is waited for.
struct AwaitedMbarrier {
  std::string name;  ///< of its array, which has one for each slot of a ring
  int slots = 1;
  int arrivals = 1;         ///< of threads, that end a phase of a slot
  std::int64_t bytes = 0;   ///< that must land as well before a phase ends; 0: none
  bool ofCluster = false;   ///< whether threads of other blocks of the cluster arrive too
  bool namesPhase = false;  ///< whether the statement says which phase; else each thread counts its waits
  bool isOpen = false;      ///< whether the first wait is over at once: slots are free at first
};

/// A statement of a kernel at which threads wait.
struct Wait {
  device::Token token = device::Token::BlockBarrier;  ///< what completes it
  int line = 0;                                       ///< of the CUDA text, from 1
  std::string statement;                              ///< there, without what is around it: "cp_async_wait<2>()"
  std::vector<int> warps;                             ///< that wait: numbers in the block, ascending
  bool isOfAllWarps = true;                           ///< whether these are all warps of the block
  bool byOneThread = false;                           ///< whether one thread of them waits for the others
  double perBlock = 1;                                ///< how often each waits there in the life of a block
  bool atMost = false;  ///< whether a condition may skip it, so that `perBlock` is the most
  bool varies = false;  ///< whether a loop around it has no constant extent: `perBlock` is for one iteration of that
  std::vector<BarrierReason> reasons;  ///< of a barrier of the block; empty if it is the program's own, or another wait
  bool makesMbarriers = false;  ///< of a barrier of the block: nobody goes on before the block's mbarriers are made
  int left = 0;  ///< of groups that threads have started: so many of the latest may still be on their way
  std::vector<std::string> buffers;  ///< that the awaited copies fill, or the awaited stores have read; may be empty
  std::optional<AwaitedMbarrier> mbarrier;
};

/// Returns the waits of a program's kernels in the order of their lines; empty if the state is no kernel.
const std::vector<Wait>& waitsOf(const Program& program);

}  // namespace loom::session
