#include "core/exec/buffer_memory.h"

#include <algorithm>

#include "core/device/memory_place.h"
#include "core/exec/runs_as_threads.h"
#include "core/exec/scalar_code.h"

namespace loom::exec {

void BufferMemory::fill(const InputValues& from) {
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = from.at(std::int64_t(e));
  input = true;
}

void BufferMemory::startBlock() {
  if (!own && !shared) return;
  std::ranges::fill(written, 0);
  std::ranges::fill(unknown, 0);
}

void BufferMemory::forget(const RunThread& t) {
  std::fill_n(unknown.begin() + std::ptrdiff_t(placeOf(t, 0)), elements, std::uint8_t(1));
}

Result<BufferMemory> memoryOf(const ir::Buffer& buffer, const RunShape& shape, std::vector<std::int64_t> copies) {
  constexpr std::int64_t kMost = std::int64_t(1) << 27;  // elements of all copies together
  BufferMemory m;
  auto layout = ScalarCompiler::layoutOf(buffer);
  if (!layout) return Failure(layout.error());
  m.elements = layout->footprint();
  m.own = shape.threaded && isOwnOfThread(*buffer);
  m.shared = shape.threaded && isShared(*buffer);
  m.ofCluster = m.shared && buffer->scope == device::kSharedCluster;
  if (m.own || m.shared) m.copies = std::move(copies);
  std::int64_t all = m.elements * (m.own ? shape.threads * shape.blocks : m.shared && !m.ofCluster ? shape.blocks : 1);
  for (const std::int64_t count : m.copies) all = std::min(all, kMost + 1) * count;
  if (all > kMost) {
    return fail("NotExecutable", message("{} is too large for a run as a whole", buffer->name), Forbids::Environment);
  }
  m.values.resize(std::size_t(all));
  m.written.resize(std::size_t(all));
  m.unknown.resize(std::size_t(all));
  // The barriers of a cluster are for lowering to place: nothing tells here which accesses they keep apart.
  if (shape.barriers && !m.own && !m.ofCluster) m.touches.resize(std::size_t(all));
  return m;
}

}  // namespace loom::exec
