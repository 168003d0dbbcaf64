#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/program.h"

namespace loom::session {

/// Why lowering has placed a barrier, for one buffer: how threads access the buffer before and after the barrier.
struct BarrierReason {
  enum class Kind { kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite } kind = Kind::kReadAfterWrite;
  std::string buffer;  ///< name of the buffer
  /// Names of the program's TIR blocks that access the buffer before and after the barrier; empty: only blocks without
  /// a name.
  std::vector<std::string> before, after;
};

/// The mbarriers at which a statement waits: an array with one mbarrier for each slot of a ring buffer.
struct AwaitedMbarrier {
  std::string name;         ///< name of the array
  int slots = 1;            ///< slots of the ring buffer, hence mbarriers of the array
  int arrivals = 1;         ///< arrivals of threads, from all blocks, after which a phase completes
  std::int64_t bytes = 0;   ///< bytes that must land as well before a phase completes; 0: none
  bool ofCluster = false;   ///< whether threads of other blocks of the cluster also arrive
  bool namesPhase = false;  ///< whether the statement has the phase to wait for; else each thread counts its waits
  bool isOpen = false;      ///< whether the first wait for each slot returns at once, because slots are free at first
};

/// A statement of a kernel at which threads wait; its `line` tells which kernel it is in.
struct Wait {
  device::Token token = device::Token::BlockBarrier;  ///< what threads wait for: a barrier, copies, products, …
  int line = 0;              ///< number of the statement's line in the CUDA text, from 1; 0: no line has it
  std::string statement;     ///< text of the statement: "cp_async_wait<2>()"
  std::vector<int> warps;    ///< the warps that wait: numbers in the block, ascending
  bool isOfAllWarps = true;  ///< whether `warps` are all warps of the block
  bool byOneThread = false;  ///< whether only one thread of `warps` executes the wait
  double perBlock = 1;       ///< how often each of `warps` waits there in the life of a block
  bool atMost = false;       ///< whether a condition may skip the wait, so that `perBlock` is an upper bound
  bool varies = false;  ///< whether a loop around has no constant extent: `perBlock` is for one iteration of that loop
  /// Why a barrier of the thread block is there; empty for a barrier that the program itself has, and for waits that
  /// aren't barriers of the thread block.
  std::vector<BarrierReason> reasons;
  bool makesMbarriers =
      false;  ///< whether this is the barrier that follows the initialization of the block's mbarriers
  /// For a wait for groups of copies, products or stores: how many of the latest groups may remain unfinished.
  int left = 0;
  /// Names of the buffers that the awaited copies fill, or that the awaited stores have read; may be empty.
  std::vector<std::string> buffers;
  std::optional<AwaitedMbarrier> mbarrier;  ///< only of a wait at an mbarrier
};

/// Returns the waits of all kernels of a program, kernel by kernel in program order; empty if the program can't be
/// lowered to kernels. The result is made in the first call and kept with the program; any thread may call this.
const std::vector<Wait>& waitsOf(const Program& program);

}  // namespace loom::session
