// Operations that threads of a block have started and not waited for yet.
#pragma once
#include <vector>

#include "core/exec/bytecode.h"
#include "core/exec/memory.h"

namespace loom::exec {

// When an operation that completes a token happens: at once, or when its thread waits for the token. Both are runs that
// a GPU may have: what a program computes must not depend on it.
enum class Landing : std::uint8_t { Early, Late };

// One execution of an operation by one thread; of a warpgroup's, what one of its warps does of it, by its first thread.
struct ThreadOperation {
  const OperationCode* code = nullptr;                   // never null
  std::uint16_t thread = 0;                              // in its cluster, block by block
  int lane = 0;                                          // of its warp
  std::array<std::int64_t, device::kMostOperands> at{};  // by operand: the first element
  std::array<double, device::kMostValues> values{};      // by value
  bool known = true;                                     // whether all values are
  int slot = -1;                                         // of copies that an mbarrier tells of (MbarrierSlots::number)
  int block = 0;  // the number in its cluster of the block whose shared memory is meant
};

// The asynchronous operations that threads have started and not yet waited for.
class PendingOperations {
 public:
  // `threads` is the number of threads of a cluster of `blocks` blocks. `elements` has, block by block, the number of
  // elements of each area that operations may write, and 0 for other areas.
  PendingOperations(std::int64_t threads, int blocks, std::vector<std::int64_t> elements);

  void clear();
  // Returns whether nothing is pending.
  bool empty() const { return pending_ == 0; }
  void add(const ThreadOperation& operation);
  // Makes a group of what the thread has started since its last commit and the token completes.
  void commit(std::uint16_t thread, device::Token token) { ++queue(thread, token).commits; }
  // Removes the operations of the thread's groups of this token but the latest `allow`, and returns them as they were
  // started. What no group was made of stays.
  std::vector<ThreadOperation> take(std::uint16_t thread, device::Token token, int allow);
  // Returns how many groups the thread has made.
  std::int64_t commits(std::uint16_t thread, device::Token token) { return queue(thread, token).commits; }
  struct Writer {
    std::uint16_t thread = 0, operations = 0;  // the last that started to; how many still write the element
  };
  // Returns the writers by element of an area; null if no operation has ever written the area.
  const Writer* writersOf(std::size_t area) const { return writers_[area].data(); }
  // Returns the thread that last started to write the element and hasn't waited; kNone if there is none. `area` is the
  // area's number among those of all blocks.
  std::uint16_t writerOf(std::size_t area, std::int64_t element) const;

 private:
  struct Started {
    ThreadOperation operation;
    std::int64_t group = 0;  // the number of the thread's commits before it
  };
  // Of one thread and one token, in the order in which they were started.
  struct Queue {
    std::vector<Started> started;
    std::int64_t commits = 0;
  };
  Queue& queue(std::uint16_t thread, device::Token token) {
    return queues_[std::size_t(thread) * device::kTokens.size() + std::size_t(token)];
  }
  // Calls f(writer) for each element that the operation writes, of those that exist.
  template <class F>
  void eachWritten(const ThreadOperation& operation, F f);
  void end(const ThreadOperation& operation);

  std::vector<Queue> queues_;
  std::size_t areas_ = 0;                     // of one block
  std::vector<std::int64_t> elements_;        // by block and area
  std::vector<ZeroedArray<Writer>> writers_;  // by block, area and element; allocated when the first is written
  std::int64_t pending_ = 0;
};

}  // namespace loom::exec
