// Asynchronous operations, such as copies, that threads of a block or cluster have started and not waited for yet. A
// thread makes groups of the operations that it has started (commit) and waits for groups. Each kind of asynchronous
// operation has a token (device::Token), by which groups are counted.
#pragma once
#include <vector>

#include "core/exec/bytecode.h"
#include "core/exec/memory.h"

namespace loom::exec {

// When the executor lets an asynchronous operation happen: when it is started (Early), or when its thread waits for it
// (Late). A GPU may do either: what a program computes must not depend on it.
enum class Landing : std::uint8_t { Early, Late };

// One execution of an operation by one thread. For an operation of a warpgroup: the part of one warp, by the warp's
// first thread.
struct ThreadOperation {
  const OperationCode* code = nullptr;                   // in Code::operations of the kernel; never null
  std::uint16_t thread = 0;                              // number of the thread in its cluster, block by block
  int lane = 0;                                          // lane of its warp
  std::array<std::int64_t, device::kMostOperands> at{};  // by operand: the offset of the first element
  std::array<double, device::kMostValues> values{};      // the further arguments, by their number
  bool known = true;                                     // whether all of `values` are known
  int slot = -1;                                         // number of the mbarrier slot that it signals; -1: none
  int block = 0;  // the rank in its cluster of the block whose shared memory is accessed
};

// The asynchronous operations that threads have started and not yet waited for.
class PendingOperations {
 public:
  // `threads` is the number of threads of a cluster of `blocks` blocks. `elements` has, block by block, the number of
  // elements of each area (the memory of a buffer) that operations may write, and 0 for other areas.
  PendingOperations(std::int64_t threads, int blocks, std::vector<std::int64_t> elements);

  // Forgets all operations and groups.
  void clear();
  // Returns whether nothing is pending.
  bool empty() const { return pending_ == 0; }
  // Adds an operation that a thread has just started.
  void add(const ThreadOperation& operation);
  // Makes a group of the operations with this token that the thread has started since its last commit.
  void commit(std::uint16_t thread, device::Token token) { ++queue(thread, token).commits; }
  // Removes the operations of all of the thread's groups with this token but the latest `allow` groups, and returns
  // them in the order in which they were started. Operations that are in no group yet stay.
  std::vector<ThreadOperation> take(std::uint16_t thread, device::Token token, int allow);
  // Returns how many groups with this token the thread has made.
  std::int64_t commits(std::uint16_t thread, device::Token token) { return queue(thread, token).commits; }
  // Calls f(operation) for each pending operation with this token, thread by thread.
  template <class F>
  void eachOf(device::Token token, F f) const {
    for (std::size_t n = std::size_t(token); n < queues_.size(); n += device::kTokens.size())
      for (const Started& s : queues_[n].started) f(s.operation);
  }
  // The pending operations that write an element: the thread that started the latest one, and their number.
  struct Writer {
    std::uint16_t thread = 0, operations = 0;
  };
  // Returns an array with the writers of each element of an area; null if no operation has ever written the area.
  // `area` is the area's number among those of all blocks.
  const Writer* writersOf(std::size_t area) const { return writers_[area].data(); }
  // Returns the thread that started the latest pending operation which writes the element; kNone if there is none.
  // `area` is the area's number among those of all blocks.
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
