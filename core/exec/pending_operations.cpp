#include "core/exec/pending_operations.h"

namespace loom::exec {

// Calls f(key) for each element that the operation writes.
template <class F>
void PendingOperations::eachWritten(const ThreadOperation& operation, F f) {
  for (std::size_t n = 0; n < operation.code->operands.size(); ++n) {
    if (!operation.code->row->operands[n].written()) continue;
    const OperationCode::Operand& o = operation.code->operands[n];
    for (int i = 0; i < o.lanes; ++i) f(keyOf(o.area, operation.at[n] + i));
  }
}

void PendingOperations::clear() {
  operations_.clear();
  writers_.clear();
}

void PendingOperations::add(const ThreadOperation& operation) {
  operations_[operation.thread].push_back(operation);
  eachWritten(operation, [&](std::uint64_t key) { writers_[key] = operation.thread; });
}

std::vector<ThreadOperation> PendingOperations::take(std::uint16_t thread, device::Token token) {
  std::vector<ThreadOperation> taken;
  const auto found = operations_.find(thread);
  if (found == operations_.end()) return taken;
  std::erase_if(found->second, [&](const ThreadOperation& o) {
    if (o.code->row->completes != token) return false;
    taken.push_back(o);
    return true;
  });
  if (found->second.empty()) operations_.erase(found);
  for (const ThreadOperation& o : taken) eachWritten(o, [&](std::uint64_t key) { writers_.erase(key); });
  return taken;
}

std::uint16_t PendingOperations::writerOf(std::uint16_t area, std::int64_t element) const {
  const auto found = writers_.find(keyOf(area, element));
  return found == writers_.end() ? kNone : found->second;
}

}  // namespace loom::exec
