#include "app/panels/performance/view/occupancy_parts.h"

#include <algorithm>

#include "core/layout/request.h"

namespace loom::session {

bool OccupancyParts::haveOwnRegisters() const {
  return std::ranges::any_of(registers, [](const Registers& r) { return r.role.registers > 0; });
}

bool OccupancyParts::areShort() const {
  double asked = 0;
  for (const Registers& r : registers) asked += r.amount;
  return haveOwnRegisters() && launched > 0 && asked > launched;
}

OccupancyParts occupancyParts(const model::KernelModel& m, const model::Device& device, int registers) {
  using model::Quantity;
  OccupancyParts parts;
  const device::Kernel& k = *m.accesses.kernel;
  parts.registersOfSm = device.value(Quantity::RegistersPerMultiprocessor).value_or(0);
  parts.sharedOfSm = device.value(Quantity::SharedPerMultiprocessor).value_or(0);
  if (m.occupancy) parts.blocks = m.occupancy->blocks;
  if (m.occupancy && registers > 0) {
    parts.launched = double(m.occupancy->registersPerBlock);
    for (model::WarpRole& role : model::rolesOf(k)) {
      const int each = role.registers > 0 ? role.registers : registers;
      const double amount = double(each) * layout::kLanes * double(role.warps.size());
      parts.registers.push_back({std::move(role), each, amount});
    }
  }
  using Shared = OccupancyParts::Shared;
  const auto holdsMbarriers = [&](const device::Allocation* a) {
    return std::ranges::any_of(k.mbarriers, [&](const device::Mbarrier& b) { return b.buffer == a->buffer; });
  };
  double mbarriers = 0;
  for (const device::SharedRegion& region : k.sharedRegions()) {
    if (holdsMbarriers(region.allocations.front())) {
      mbarriers += double(region.bytes);
      continue;
    }
    Shared& part = parts.shared.emplace_back(Shared::Kind::kBuffers, double(region.bytes));
    for (const device::Allocation* a : region.allocations) {
      int stages = 1;
      for (const std::int64_t v : a->versions) stages *= int(v);
      part.buffers.push_back({a->buffer->name, stages, double(a->bytes())});
    }
  }
  if (mbarriers > 0) parts.shared.push_back({Shared::Kind::kMbarriers, mbarriers, {}});
  const double reserve = device.value(Quantity::SharedReserve).value_or(0);
  if (!parts.shared.empty() && reserve > 0) parts.shared.push_back({Shared::Kind::kReserve, reserve, {}});
  double told = 0;
  for (const Shared& s : parts.shared) told += s.bytes;
  if (!parts.shared.empty() && m.occupancy && double(m.occupancy->sharedPerBlock) > told)
    parts.shared.push_back({Shared::Kind::kRounding, double(m.occupancy->sharedPerBlock) - told, {}});
  return parts;
}

}  // namespace loom::session
