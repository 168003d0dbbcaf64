// Operations that threads of a block have started and not waited for yet.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

// When an operation that completes a token happens: at once, or when its thread waits for the token. Both are runs that
// a GPU may have: what a program computes must not depend on it.
enum class Landing : std::uint8_t { Early, Late };

// One execution of an operation by one thread.
struct ThreadOperation {
  const OperationCode* code = nullptr;                   // never null
  std::uint16_t thread = 0;                              // in its block
  int lane = 0;                                          // of its warp
  std::array<std::int64_t, device::kMostOperands> at{};  // by operand: the first element
  std::array<double, device::kMostValues> values{};      // by value
  bool known = true;                                     // whether all values are
};

class PendingOperations {
 public:
  void clear();
  bool empty() const { return operations_.empty(); }
  void add(const ThreadOperation& operation);
  // Removes the operations of the thread that the token completes, and returns them as they were started.
  std::vector<ThreadOperation> take(std::uint16_t thread, device::Token token);
  // The thread that started what still writes the element; kNone where nothing does.
  std::uint16_t writerOf(std::uint16_t area, std::int64_t element) const;

 private:
  static std::uint64_t keyOf(std::uint16_t area, std::int64_t element) {
    return std::uint64_t(area) << 48 | (std::uint64_t(element) & 0xFFFF'FFFF'FFFF);
  }
  template <class F>
  static void eachWritten(const ThreadOperation& operation, F f);

  std::unordered_map<std::uint16_t, std::vector<ThreadOperation>> operations_;  // by thread
  std::unordered_map<std::uint64_t, std::uint16_t> writers_;                    // by element
};

}  // namespace loom::exec
