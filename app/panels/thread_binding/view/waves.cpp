#include "app/panels/thread_binding/view/waves.h"

#include <algorithm>
#include <optional>

#include "core/arith/integer_runs.h"
#include "core/device/cluster_places.h"
#include "core/device/lane_values.h"
#include "core/model/persistent_turns.h"

namespace loom::session {

namespace {

constexpr std::size_t kRunsAtMost = 1 << 22;  // that are joined for one access

// What the numbers of the blocks add to the index of each, beyond what the first one's does, or nothing where what they
// add depends on other variables.
std::optional<std::vector<std::int64_t>> placesOf(const model::JoinedIndex& index, const device::Kernel& kernel,
                                                  std::int64_t blocks) {
  std::vector<const model::JoinedPart*> parts;
  for (const model::JoinedPart& part : index.parts) {
    const auto ofBlocks = [](const model::IndexVariable& v) { return v.axis == model::Axis::Block; };
    if (std::ranges::none_of(part.variables, ofBlocks)) continue;
    if (!std::ranges::all_of(part.variables, ofBlocks)) return std::nullopt;
    parts.push_back(&part);
  }
  std::vector<std::int64_t> places;
  places.reserve(std::size_t(blocks));
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto at = device::blockAt(kernel, b);
    std::int64_t sum = 0;
    for (const model::JoinedPart* part : parts) {
      std::int64_t combination = 0;
      for (const model::IndexVariable& v : part->variables)
        combination = combination * v.extent + at[std::size_t(v.number)];
      sum += part->adds[std::size_t(combination)];
    }
    places.push_back(sum);
  }
  const std::int64_t first = places.empty() ? 0 : places.front();
  for (std::int64_t& place : places) place -= first;
  return places;
}

// What blocks 0 to `blocks` - 1 touch, each and together.
struct Together {
  arith::Runs all;
  double asked = 0;  // elements, those that several blocks touch counted for each
};

// An access, and what is chosen of the loops around it: of persistent blocks, their first turn.
struct InFirstTurn {
  const model::Access* access;
  model::Chosen chosen;
};

// What one block touches of a buffer by all its accesses: loops that were split and pipelined have several statements
// for one.
Result<arith::Runs> touchedByOne(const model::KernelAccesses& accesses, const std::vector<InFirstTurn>& of,
                                 std::int64_t block) {
  arith::Runs all;
  for (const InFirstTurn& each : of) {
    model::Chosen chosen = each.chosen;
    model::chooseBlock(chosen, *accesses.kernel, block);
    const auto own = model::elementRuns(accesses, *each.access, chosen, kRunsAtMost);
    if (!own) return Failure(own.error());
    all.insert(all.end(), own->begin(), own->end());
  }
  return arith::joined(std::move(all));
}

// The same of the first blocks of the grid: by moving one block's elements to where each other one's are, where the
// number of the block adds the same to the index of each access; else block by block.
Result<Together> touchedBy(const model::KernelAccesses& accesses, const std::vector<const model::Access*>& of,
                           std::int64_t blocks) {
  const Failure tooMany =
      fail("TooMany", message("{} is read in too many parts to add up", of.front()->buffer->name), Forbids::Program);
  std::vector<InFirstTurn> each;
  for (const model::Access* access : of) {
    each.push_back({access, {}});
    if (const auto turns = turnLoopOf(accesses, *access)) each.back().chosen.loops[*turns] = 0;
  }
  std::optional<std::vector<std::int64_t>> places;
  for (const auto& [access, chosen] : each) {
    const auto index = model::separateJoined(accesses, *access, chosen);
    if (!index) return Failure(index.error());
    auto own = placesOf(*index, *accesses.kernel, blocks);
    const bool alike = own && (access == of.front() || places == own);
    places = alike ? std::move(own) : std::nullopt;
    if (!places) break;
  }
  auto first = touchedByOne(accesses, each, 0);
  if (!first) return Failure(first.error());
  if (places) {
    arith::Runs moves;
    for (const std::int64_t place : *places) moves.push_back({place, 1});
    moves = arith::joined(std::move(moves));
    if (first->size() * moves.size() > kRunsAtMost) return tooMany;
    return Together{arith::sum(*first, moves), double(arith::sizeOf(*first)) * double(blocks)};
  }
  if (first->size() * std::size_t(blocks) > kRunsAtMost) return tooMany;
  Together together{*first, double(arith::sizeOf(*first))};
  for (std::int64_t b = 1; b < blocks; ++b) {
    const auto own = touchedByOne(accesses, each, b);
    if (!own) return Failure(own.error());
    together.asked += double(arith::sizeOf(*own));
    together.all.insert(together.all.end(), own->begin(), own->end());
  }
  together.all = arith::joined(std::move(together.all));
  return together;
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
  if (waves.count() == 1) waves.turns = model::persistentTurns(kernel);
  if (waves.takesTurns()) waves.tiles = turnTiles(binding);
  waves.l2 = device.value(model::Quantity::L2Bytes);

  const std::int64_t first = std::min(waves.blocks, waves.slots);
  std::vector<std::vector<const model::Access*>> read;  // of a buffer each
  for (const model::Access& access : binding.accesses().accesses) {
    if (access.write || access.memory != device::Memory::Global) continue;
    const auto at =
        std::ranges::find_if(read, [&](const auto& of) { return of.front()->buffer.get() == access.buffer.get(); });
    if (at == read.end()) {
      read.push_back({&access});
    } else {
      at->push_back(&access);
    }
  }
  for (const auto& of : read) {
    auto touched = touchedBy(binding.accesses(), of, first);
    if (!touched) {
      waves.unknown = touched.error();
      return waves;
    }
    const model::Access& access = *of.front();
    // What boxes ask for beyond the end is not read.
    touched->all = arith::within(touched->all, ir::constantOr(access.buffer->shape.front(), INT64_MAX));
    waves.reads.push_back(
        {access.buffer->name, double(arith::sizeOf(touched->all)) * access.bytes, touched->asked * access.bytes});
  }
  for (const WaveRead& read : waves.reads) waves.distinct += read.distinct;
  return waves;
}

}  // namespace loom::session
