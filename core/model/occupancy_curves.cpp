#include "core/model/occupancy_curves.h"

#include <cstdlib>

namespace loom::model {

Result<OccupancyCurve> occupancyCurve(const Device& device, const Resources& resources, OccupancyResource want,
                                      std::int64_t gridThreads) {
  auto now = occupancy(device, resources);
  if (!now) return Failure(now.error());
  OccupancyCurve curve;
  curve.want = want;
  curve.gridThreads = gridThreads;
  curve.warpsNow = now->warps;
  curve.maxWarps = now->maxWarps;
  std::int64_t first = 0, last = 0, step = 1;
  switch (want) {
    case OccupancyResource::Registers:
      first = 1, last = std::int64_t(device.value(Quantity::RegistersPerThread).value_or(255));
      curve.now = resources.registers;
      break;
    case OccupancyResource::Shared:
      step = 1024, last = std::int64_t(device.value(Quantity::SharedPerBlock).value_or(48 << 10));
      curve.now = resources.shared;
      break;
    case OccupancyResource::Threads:
      first = step = 32, last = std::int64_t(device.value(Quantity::ThreadsPerBlock).value_or(1024));
      curve.now = resources.threads;
      break;
  }
  const bool known = want != OccupancyResource::Registers || resources.registers > 0;
  for (std::int64_t at = first; at <= last; at += step) {
    Resources other = resources;
    if (want == OccupancyResource::Registers) other.registers = int(at);
    if (want == OccupancyResource::Shared) other.shared = at;
    if (want == OccupancyResource::Threads) other.threads = int(at);
    const int warps = occupancy(device, other)->warps;  // asks for no other figure than the one above
    curve.at.push_back(at);
    curve.warps.push_back(warps);
    const bool allowed = want == OccupancyResource::Threads ? curve.divides(at) : at < curve.now;
    const bool nearer = !curve.better || std::abs(at - curve.now) < std::abs(*curve.better - curve.now);
    if (known && allowed && warps > curve.warpsNow && nearer) {
      curve.better = at;
      curve.warpsBetter = warps;
    }
  }
  return curve;
}

}  // namespace loom::model
