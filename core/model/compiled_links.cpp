#include "core/model/compiled_links.h"

#include <algorithm>

#include "core/layout/request.h"
#include "core/sass/countable.h"

namespace loom::model {
namespace {

constexpr int kWavefrontBytes = 128;  // 32 banks of 4 bytes

class LinkCounter {
 public:
  LinkCounter(const KernelAccesses& kernel, const sass::Kernel& sass, const CompiledCount& compiled)
      : kernel_(kernel), sass_(sass), compiled_(compiled) {
    for (const Work& w : kernel.work) {
      if (w.tensorFlops <= 0) continue;
      if (!product_) product_ = w.product;
      for (const char* operand : {"a", "b", "d"})
        onlyProduct_ &= device::placeOf(*product_, operand)->buffer == device::placeOf(*w.product, operand)->buffer;
    }
  }

  std::vector<CompiledLink> run() {
    std::size_t next = 0;  // of CompiledCount::memory, which is in the code's order
    for (std::size_t n = 0; n < sass_.instructions.size(); ++n) {
      const sass::Instruction& i = sass_.instructions[n];
      if (next < compiled_.memory.size() && compiled_.memory[next].instruction == int(n)) {
        memory(i, compiled_.memory[next++]);
      } else if (i.pipe == sass::Pipe::Tensor && compiled_.executions[n] > 0) {
        tensor(i, compiled_.executions[n]);
      }
    }
    for (CompiledLink& l : all_) l.perBlock = l.bytes / double(kernel_.kernel->blocks());
    return std::move(all_);
  }

 private:
  CompiledLink& at(Place from, Place to, const ir::Buffer& buffer, Message how) {
    for (CompiledLink& l : all_)
      if (l.from == from && l.to == to && l.buffer == buffer) return l;
    CompiledLink& l = all_.emplace_back();
    l.from = from, l.to = to, l.buffer = buffer, l.how = std::move(how);
    return l;
  }

  void memory(const sass::Instruction& i, const CompiledAccess& m) {
    if (m.executions <= 0) return;
    const bool global = i.pipe == sass::Pipe::GlobalLoad || i.pipe == sass::Pipe::GlobalStore;
    const bool write = i.pipe == sass::Pipe::GlobalStore || i.pipe == sass::Pipe::SharedStore;
    const Place far = global ? Place::L2 : Place::Shared;
    // A matrix's row is what a lane names, but 4 bytes of each matrix are what it gets.
    const int width = i.pipe == sass::Pipe::LdMatrix ? 4 * i.matrices : i.bytes;
    auto add = [&](const ir::Buffer& buffer, double part) {
      CompiledLink& l = at(write ? Place::Registers : far, write ? far : Place::Registers, buffer,
                           message("bytes that lanes ask for in the machine code, {}", compiled_.how));
      l.bytes += part * m.lanes * i.bytes;
      l.moved += part * (global ? m.sectors * layout::kSectorBytes : m.wavefronts * kWavefrontBytes);
      l.widths[width] += part * m.executions;
      if (!i.toShared) return;
      // As written, a copy passes registers; the code's own way has no link of its own.
      CompiledLink& on = at(Place::Registers, Place::Shared, nullptr, l.how);
      on.bytes += part * m.lanes * i.bytes;
      on.moved += part * m.wavefronts * kWavefrontBytes;
      on.widths[width] += part * m.executions;
    };
    if (m.accesses.empty()) add(nullptr, 1);
    for (int access : m.accesses) add(kernel_.accesses[std::size_t(access)].buffer, 1 / double(m.accesses.size()));
  }

  // Registers that the warp hands in, and gets back: of the fragments, where all products are of the same ones.
  void tensor(const sass::Instruction& i, double executions) {
    const auto moved = sass::tensorBytes(i);
    if (!moved) return;
    auto add = [&](Place from, Place to, const char* operand, double bytes) {
      if (bytes <= 0) return;  // tensor cores take it from shared memory, by themselves
      const device::BufferPlace* place = product_ && onlyProduct_ ? device::placeOf(*product_, operand) : nullptr;
      CompiledLink& l = at(from, to, place ? place->buffer : nullptr,
                           message("operands and sums of each tensor instruction, {}", compiled_.how));
      l.bytes += executions * bytes;
      l.widths[int(bytes / layout::kLanes)] += executions;
    };
    add(Place::Registers, Place::TensorCore, "a", moved->a);
    add(Place::Registers, Place::TensorCore, "b", moved->b);
    add(Place::Registers, Place::TensorCore, "d", moved->sums);
    add(Place::TensorCore, Place::Registers, "d", moved->sums);
  }

  const KernelAccesses& kernel_;
  const sass::Kernel& sass_;
  const CompiledCount& compiled_;
  const device::OperationNode* product_ = nullptr;
  bool onlyProduct_ = true;
  std::vector<CompiledLink> all_;
};

}  // namespace

double CompiledLink::instructions() const {
  double n = 0;
  for (const auto& [width, count] : widths) n += count;
  return n;
}

std::vector<CompiledLink> compiledLinks(const KernelAccesses& kernel, const sass::Kernel& sass,
                                        const CompiledCount& compiled) {
  return LinkCounter(kernel, sass, compiled).run();
}

}  // namespace loom::model
