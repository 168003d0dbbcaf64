#include "core/model/wave_reads.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/model/role_program.h"

namespace loom::model {

namespace {

struct Factor {
  std::set<std::int64_t> ofWave, ofAll;  // places of boxes at the first step along k
  double bytes = 0;                      // of the buffer that go with one of them
};

}  // namespace

std::optional<WaveReads> waveReads(const KernelAccesses& k, int multiprocessors) {
  const device::Kernel& kernel = *k.kernel;
  const std::int64_t blocks = kernel.blocks();
  std::vector<const Access*> loads;
  std::set<const ir::BufferNode*> seen;
  for (const Access& a : k.accesses)
    if (a.agent == device::Agent::CopyEngine && !a.write && a.memory == device::Memory::Global &&
        seen.insert(a.buffer.get()).second)
      loads.push_back(&a);
  if (loads.size() != 2) return std::nullopt;
  std::array<Factor, 2> factors;
  for (std::size_t f = 0; f < 2; ++f) {
    const Access& a = *loads[f];
    RoleValues values;
    for (const ir::Var& v : kernel.threadIdx) values.set(v.get(), 0);
    for (const LoopInfo& loop : k.loops) values.set(loop.var.get(), 0);
    // Blocks that stay take more tiles, along the outermost loop: of the wave only the first, of all each.
    const bool stay = blocks <= multiprocessors && a.loops.size() > 1;
    const LoopInfo* turns = stay ? &k.loops[std::size_t(a.loops.front())] : nullptr;
    const std::int64_t taken = turns != nullptr ? turns->extent : 1;
    for (std::int64_t turn = 0; turn < taken; ++turn)
      for (std::int64_t block = 0; block < blocks; ++block) {
        if (turns != nullptr) values.set(turns->var.get(), turn);
        values.setBlock(kernel, block);
        const auto place = values.evaluate(a.index);
        if (!place) return std::nullopt;
        factors[f].ofAll.insert(*place);
        if (turn == 0 && block < multiprocessors) factors[f].ofWave.insert(*place);
      }
    double elements = 1;
    for (const ir::Expr& extent : a.buffer->shape) elements *= double(ir::constantOr(extent, 1));
    factors[f].bytes = elements * a.bytes / double(factors[f].ofAll.size());
  }
  const auto& [a, b] = factors;
  WaveReads reads;
  reads.tiles = int(std::min<std::int64_t>(blocks, multiprocessors));
  reads.rows = int(a.ofWave.size()), reads.columns = int(b.ofWave.size());
  reads.bytes = reads.rows * a.bytes + reads.columns * b.bytes;
  reads.leastBytes = reads.bytes, reads.bestRows = reads.rows;
  for (int rows = 1; rows <= int(a.ofAll.size()); rows *= 2) {
    const int columns = (reads.tiles + rows - 1) / rows;
    if (columns > int(b.ofAll.size())) continue;
    const double bytes = rows * a.bytes + columns * b.bytes;
    if (bytes < reads.leastBytes) reads.leastBytes = bytes, reads.bestRows = rows;
  }
  return reads;
}

}  // namespace loom::model
