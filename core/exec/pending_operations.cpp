#include "core/exec/pending_operations.h"

#include <algorithm>

namespace loom::exec {

PendingOperations::PendingOperations(std::int64_t threads, int blocks, std::vector<std::int64_t> elements)
    : queues_(std::size_t(threads) * device::kTokens.size()),
      areas_(elements.size() / std::size_t(blocks)),
      elements_(std::move(elements)),
      writers_(elements_.size()) {}

template <class F>
void PendingOperations::eachWritten(const ThreadOperation& operation, F f) {
  for (std::size_t n = 0; n < operation.code->operands.size(); ++n) {
    const device::OperandRow& row = operation.code->row->operands[n];
    if (!row.written() || !row.isSpan()) continue;
    const OperationCode::Operand& o = operation.code->operands[n];
    const std::size_t area = std::size_t(operation.block) * areas_ + o.area;
    if (!writers_[area]) writers_[area] = ZeroedArray<Writer>(elements_[area]);
    const std::int64_t end = std::min(operation.at[n] + o.lanes, elements_[area]);
    for (std::int64_t e = std::max<std::int64_t>(operation.at[n], 0); e < end; ++e) f(writers_[area][e]);
  }
}

void PendingOperations::end(const ThreadOperation& operation) {
  eachWritten(operation, [](Writer& writer) { --writer.operations; });
  --pending_;
}

void PendingOperations::clear() {
  for (Queue& queue : queues_) {
    for (const Started& s : queue.started) end(s.operation);
    queue = {};
  }
}

void PendingOperations::add(const ThreadOperation& operation) {
  Queue& own = queue(operation.thread, *operation.code->row->completes);
  own.started.push_back({operation, own.commits});
  ++pending_;
  eachWritten(operation, [&](Writer& writer) {
    writer.thread = operation.thread;
    ++writer.operations;
  });
}

std::vector<ThreadOperation> PendingOperations::take(std::uint16_t thread, device::Token token, int allow) {
  std::vector<ThreadOperation> taken;
  Queue& own = queue(thread, token);
  const auto end =
      std::ranges::partition_point(own.started, [&](const Started& s) { return s.group < own.commits - allow; });
  for (auto s = own.started.begin(); s != end; ++s) {
    this->end(s->operation);
    taken.push_back(s->operation);
  }
  own.started.erase(own.started.begin(), end);
  return taken;
}

std::uint16_t PendingOperations::writerOf(std::size_t area, std::int64_t element) const {
  if (!writers_[area]) return kNone;
  const Writer& writer = writers_[area][element];
  return writer.operations == 0 ? kNone : writer.thread;
}

}  // namespace loom::exec
