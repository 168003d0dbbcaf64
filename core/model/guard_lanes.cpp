#include "core/model/guard_lanes.h"

namespace loom::model {
namespace {

std::uint32_t lanesWhere(const device::LaneValues& v, bool holds) {
  if (v.uniform) return (v.one != 0) == holds ? 0xffffffffu : 0;
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < layout::kLanes; ++lane)
    lanes |= std::uint32_t((v.each[std::size_t(lane)] != 0) == holds) << lane;
  return lanes;
}

}  // namespace

GuardLanes::GuardLanes(const std::vector<Guard>& guards) {
  for (const Guard& g : guards) guards_.emplace_back(program.add(g.condition), g.holds);
}

std::uint32_t GuardLanes::active(bool& known) {
  std::uint32_t active = 0xffffffffu;
  for (const auto& [number, holds] : guards_) {
    if (const device::LaneValues* v = program.value(number)) {
      active &= lanesWhere(*v, holds);
    } else {
      known = false;
    }
  }
  return active;
}

}  // namespace loom::model
