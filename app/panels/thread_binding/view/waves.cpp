#include "app/panels/thread_binding/view/waves.h"

#include <algorithm>

#include "core/arith/integer_runs.h"
#include "core/device/cluster_places.h"
#include "core/device/lane_values.h"

namespace loom::session {

namespace {

constexpr std::size_t kRunsAtMost = 1 << 22;  // that are joined for one access

// What the numbers of the blocks add to the index of each.
std::vector<std::int64_t> placesOf(const model::SeparatedIndex& index, const device::Kernel& kernel,
                                   std::int64_t blocks) {
  std::vector<std::int64_t> places;
  places.reserve(std::size_t(blocks));
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto at = device::blockAt(kernel, b);
    std::int64_t sum = 0;
    for (const model::Part& part : index.parts) {
      if (part.axis == model::Axis::Block) sum += part.adds[std::size_t(at[std::size_t(part.number)])];
    }
    places.push_back(sum);
  }
  return places;
}

}  // namespace

Result<BlockWaves> blockWaves(const ThreadBinding& binding, const model::Occupancy& occupancy,
                              const model::Device& device) {
  auto multiprocessors = device.need(model::Quantity::Multiprocessors);
  if (!multiprocessors) return Failure(multiprocessors.error());
  if (occupancy.blocks < 1)
    return fail("TooLarge", message("not one block fits on a multiprocessor"), Forbids::Hardware);
  const device::Kernel& kernel = binding.kernel();
  BlockWaves waves;
  waves.blocks = kernel.blocks();
  waves.multiprocessors = std::int64_t(*multiprocessors);
  waves.perMultiprocessor = occupancy.blocks;
  waves.occupancy = occupancy;
  waves.clusters = *model::activeClusters(device, occupancy, kernel);
  if (waves.clusters.clusters < 1)
    return fail("TooLarge",
                message("no GPC of {} has room for a cluster of {} blocks", device.name, waves.clusters.size),
                Forbids::Hardware);
  waves.slots = waves.clusters.blocks();
  if (waves.clusters.size > 1)
    for (std::int64_t b = 0; b < waves.blocks; ++b) waves.of.push_back(device::clusterOf(kernel, b));
  waves.l2 = device.value(model::Quantity::L2Bytes);

  const std::int64_t first = std::min(waves.blocks, waves.slots);
  std::vector<std::pair<const ir::BufferNode*, arith::Runs>> seen;
  for (const model::Access& access : binding.accesses().accesses) {
    if (access.write || access.memory != device::Memory::Global) continue;
    const auto index = model::separate(binding.accesses(), access);
    if (!index) {
      waves.unknown = index.error();
      return waves;
    }
    // One block's elements, moved to where each other one's are.
    model::Chosen block;
    model::chooseBlock(block, kernel, 0);
    const auto elements = model::elementsOf(binding.accesses(), access, block);
    if (!elements) {
      waves.unknown = elements.error();
      return waves;
    }
    const std::vector<std::int64_t> places = placesOf(*index, kernel, first);
    const std::int64_t origin = places.empty() ? 0 : places.front();
    std::vector<std::int64_t> moves;
    for (std::int64_t place : places) moves.push_back(place - origin);
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    const arith::Runs mine = arith::runsOf(*elements);
    if (mine.size() * moves.size() > kRunsAtMost) {
      waves.unknown = fail("TooMany", message("{} is read in too many parts to add up", access.buffer->name)).value();
      return waves;
    }
    arith::Runs shifts;
    for (std::int64_t move : moves) shifts.push_back({move, 1});
    arith::Runs all = sum(mine, shifts);
    const double asked = double(elements->size()) * double(first) * access.bytes;
    auto at = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == access.buffer.get(); });
    if (at == seen.end()) {
      seen.emplace_back(access.buffer.get(), arith::Runs{});
      waves.reads.push_back({access.buffer->name, 0, 0});
      at = seen.end() - 1;
    }
    WaveRead& read = waves.reads[std::size_t(at - seen.begin())];
    all.insert(all.end(), at->second.begin(), at->second.end());
    at->second = sum(all, {{0, 1}});
    read.distinct = double(arith::sizeOf(at->second)) * access.bytes;
    read.asked = std::max(read.asked, asked);
  }
  for (const WaveRead& read : waves.reads) waves.distinct += read.distinct;
  return waves;
}

}  // namespace loom::session
