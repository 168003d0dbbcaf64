#include "core/model/misses.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/layout/request.h"
#include "core/model/ownership.h"

namespace loom::model {
namespace {

constexpr std::int64_t kUnitsAtMost = 1 << 24;

bool isGlobalLoad(const Access& a) { return a.memory == device::Memory::Global && !a.write; }

// The first block of the grid as a working set: what it touches with some loops free and the others at their start.
class BlockFootprint {
 public:
  BlockFootprint(const KernelAccesses& kernel, const KernelCount& count) : kernel_(kernel), count_(count) {
    chooseBlock(block_, *kernel.kernel, 0);
  }

  const Chosen& block() const { return block_; }

  // Units of `bytesPerUnit` that the access touches with its loops from position `from` on free, by all threads or by
  // the first alone; none where the index can't be evaluated.
  std::optional<std::int64_t> touched(const Access& a, std::size_t from, int bytesPerUnit,
                                      bool oneThread = false) const {
    Chosen chosen = block_;
    if (oneThread) chooseThread(chosen, *kernel_.kernel, 0);
    for (std::size_t l = 0; l < from; ++l) chosen.loops[a.loops[l]] = 0;
    auto units = touchedUnits(kernel_, a, chosen, bytesPerUnit, kUnitsAtMost);
    if (!units) return std::nullopt;
    return *units;
  }

  // Lines that all accesses touch in one iteration of the loop.
  double linesOfBody(int loop) {
    auto [known, fresh] = bodies_.try_emplace(loop, 0.0);
    if (!fresh) return known->second;
    double lines = 0;
    for (std::size_t i = 0; i < kernel_.accesses.size(); ++i) {
      const Access& a = kernel_.accesses[i];
      if (a.memory != device::Memory::Global || count_.accesses[i].sectors <= 0) continue;
      auto at = std::find(a.loops.begin(), a.loops.end(), loop);
      if (at == a.loops.end()) continue;
      const std::size_t from = std::size_t(at - a.loops.begin()) + 1;
      auto units = touched(a, from, layout::kLineBytes);
      double iterations = double(kernel_.kernel->blocks());
      for (std::size_t l = 0; l < from; ++l) iterations *= double(kernel_.loops[std::size_t(a.loops[l])].extent);
      lines += units ? double(*units) : count_.accesses[i].lines / iterations;
    }
    return known->second = lines;
  }

 private:
  const KernelAccesses& kernel_;
  const KernelCount& count_;
  Chosen block_;
  std::map<int, double> bodies_;
};

}  // namespace

double capacityOfL1(const Occupancy& occupancy, double resident, const Device& device) {
  return device.value(Quantity::SharedPerMultiprocessor).value_or(1 << 17) -
         resident * double(occupancy.sharedPerBlock);
}

L1Misses missesOfL1(const KernelAccesses& k, const KernelCount& c, const Occupancy& occupancy, const Device& device) {
  const double blocks = double(k.kernel->blocks());
  const double resident = std::max(
      1.0, std::min<double>(occupancy.blocks, std::ceil(blocks / device.value(Quantity::Multiprocessors).value_or(1))));
  const double capacity = capacityOfL1(occupancy, resident, device);
  const double warps = double((k.kernel->threads() + 31) / 32);

  BlockFootprint footprint(k, c);
  L1Misses misses{std::vector<double>(k.accesses.size(), 0), std::vector<double>(k.accesses.size(), 0)};
  for (std::size_t i = 0; i < k.accesses.size(); ++i) {
    const Access& a = k.accesses[i];
    if (!isGlobalLoad(a) || c.accesses[i].sectors <= 0) continue;
    misses.sectors[i] = misses.waits[i] = 1;
    const auto index = separate(k, a, footprint.block());
    auto moves = [&](int loop) {  // as far as one can tell
      return !index || std::any_of(index->parts.begin(), index->parts.end(),
                                   [&](const Part& p) { return p.axis == Axis::Loop && p.number == loop; });
    };
    std::size_t innermost = a.loops.size();  // one past the innermost loop that moves the address
    while (innermost > 0 && !moves(a.loops[innermost - 1])) --innermost;
    // Across that loop sectors are always found again: its iterations follow each other at once, unrolled or not.
    std::size_t from = 0;
    while (from + 1 < innermost && resident * footprint.linesOfBody(a.loops[from]) * layout::kLineBytes > capacity)
      ++from;
    double trips = 1;
    for (std::size_t l = from; l < innermost; ++l) trips *= double(k.loops[std::size_t(a.loops[l])].extent);
    const double perRequest = c.accesses[i].requests > 0 ? c.accesses[i].sectors / c.accesses[i].requests : 1;
    if (auto sectors = footprint.touched(a, from, layout::kSectorBytes))
      misses.sectors[i] = std::min(1.0, double(*sectors) / (trips * warps * perRequest));
    if (auto own = footprint.touched(a, from, layout::kSectorBytes, true))
      misses.waits[i] = std::min(1.0, double(*own) / trips);
  }
  return misses;
}

double missShare(const CompiledAccess& m, const std::vector<double>& shares) {
  double sum = 0;
  for (int a : m.accesses) sum += shares[std::size_t(a)];
  return m.accesses.empty() ? 0 : sum / double(m.accesses.size());
}

}  // namespace loom::model
