#include "core/model/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/model/product_rate.h"
#include "core/model/role_run.h"

namespace loom::model {
namespace {

struct Peak {
  Quantity quantity;
  const char* name;
};

// The peak of the path that the kernel takes: products of warps reach mma.sync's, those of warpgroups wgmma's.
std::optional<Peak> peakOf(const KernelAccesses& k, const Device& device, bool tensor) {
  if (!tensor) return Peak{Quantity::Fp32Tflops, "fp32"};
  const auto kinds = productKinds(k);
  if (kinds.empty()) return std::nullopt;
  const ProductRate rate =
      hasWarpgroupProducts(k) ? rateOfWarpgroups(kinds.front()) : rateOfProducts(executedAs(kinds.front(), device));
  return Peak{rate.peak, rate.name};
}

// What the copy engines of all multiprocessors ask L2 for.
struct Boxes {
  double asked = 0;     // bytes of all boxes
  double once = 0;      // their distinct bytes
  double ofBlocks = 0;  // the distinct bytes of a block, times blocks
  // What L2 delivers: not less than each byte once, and all that is asked for where no two blocks ask for the same.
  double delivered() const { return ofBlocks > once ? std::max(once, RoleConstants{}.l2Asked * asked) : asked; }
};

// Nothing without boxes, or if an index can't be taken apart.
std::optional<Boxes> boxesOf(const KernelAccesses& k, const KernelCount& count, const Hierarchy& hierarchy) {
  Boxes boxes;
  std::set<const ir::BufferNode*> buffers;
  for (std::size_t i = 0; i < k.accesses.size(); ++i) {
    const Access& a = k.accesses[i];
    if (a.agent != device::Agent::CopyEngine || a.write || a.memory != device::Memory::Global) continue;
    boxes.asked += count.accesses[i].bytes;
    buffers.insert(a.buffer.get());
  }
  if (buffers.empty()) return std::nullopt;
  for (const BufferLifetime& r : hierarchy.residents) {
    if (!buffers.contains(r.buffer.get())) continue;
    if (!r.footprint || !r.gridFootprint) return std::nullopt;
    boxes.once += r.gridFootprint->value;
    boxes.ofBlocks += r.footprint->value * double(k.kernel->blocks());
  }
  return boxes;
}

bool isWrittenBox(const Access& a) {
  return a.agent == device::Agent::CopyEngine && a.write && a.memory != device::Memory::Global;
}

}  // namespace

double wavefrontsOf(const KernelAccesses& kernel, const KernelCount& count, const CompiledCount* compiled) {
  double boxes = 0;
  for (std::size_t i = 0; i < kernel.accesses.size(); ++i)
    if (isWrittenBox(kernel.accesses[i])) boxes += count.accesses[i].wavefronts;
  const double all =
      compiled ? compiled->sharedLoadWavefronts + compiled->sharedStoreWavefronts + compiled->wavefrontsByThemselves
               : count.sharedLoadWavefronts + count.sharedStoreWavefronts;
  return all - (1 - RoleConstants{}.fillShare) * boxes;
}

bool writesBoxes(const KernelAccesses& kernel) { return std::ranges::any_of(kernel.accesses, isWrittenBox); }

Roofline rooflineOf(const KernelAccesses& k, const KernelCount& count, const Hierarchy& hierarchy, const Device& device,
                    const CompiledCount* compiled) {
  Roofline r;
  r.tensor = count.tensorFlops > 0;
  r.flops = r.tensor ? count.tensorFlops : count.flops;
  if (r.flops <= 0) {
    r.unknown.push_back("the kernel does no floating-point arithmetic that is counted");
    return r;
  }
  if (auto peak = peakOf(k, device, r.tensor)) {
    if (const auto rate = rateOf(device, peak->quantity)) {
      r.roofs.push_back({peak->name, true, *rate, rate->value, 0});
    } else {
      r.peakUnknown = message("the peak of {} on {} isn't known", peak->name, device.name);
    }
  } else {
    r.peakUnknown = message("no peak is known for these operands");
  }
  if (!r.peakUnknown.empty()) r.unknown.push_back(r.peakUnknown.english());
  const auto boxes = boxesOf(k, count, hierarchy);
  if (boxes) r.servedTogether = std::max(0.0, boxes->asked - boxes->delivered());
  auto bandwidth = [&](const char* name, const Rate& rate, double bytes) {
    if (bytes > 0) r.roofs.push_back({name, false, rate, rate.value * r.flops / bytes / 1000, bytes});
  };
  const Link* in = hierarchy.find(Place::Memory, Place::L2);
  if (const auto least = memoryBytes(hierarchy)) {
    r.intensity = {r.flops / least->value,
                   message("{:.0f} FLOP over {:.0f} distinct bytes read and written", r.flops, least->value)};
    if (const auto rate = rateOf(device, Quantity::MemoryGbPerS))
      bandwidth("memory", *rate, least->value);
    else
      r.unknown.push_back(fmt::format("the memory bandwidth of {} isn't known", device.name));
    if (const Link* l2 = hierarchy.find(Place::L2, Place::Global)) {
      // What copy engines ask for passes L1, which keeps nothing of it.
      const double reads = l2->bytes + (boxes ? boxes->delivered() - boxes->ofBlocks : 0);
      if (const auto rate = rateOf(device, Quantity::L2GbPerS); rate && l2->bytes > 0)
        bandwidth("l2", *rate, reads + least->value - in->bytes);  // and what is written
      else if (!rate)
        r.unknown.push_back(fmt::format("the L2 bandwidth of {} isn't known", device.name));
    }
  } else {
    r.unknown.push_back("the bytes that must come from memory aren't known: an index can't be taken apart");
  }
  const double wavefronts = wavefrontsOf(k, count, compiled);
  if (const auto rate = sharedRateOf(device); rate && wavefronts > 0)
    bandwidth("shared", *rate,
              wavefronts * *device.value(Quantity::SharedBytesPerClock));  // each takes the whole width
  if (!r.peakUnknown.empty()) return r;                                    // it may lie below the others
  for (int i = 0; i < int(r.roofs.size()); ++i)
    if (r.lowest < 0 || r.roofs[std::size_t(i)].tflops < r.roofs[std::size_t(r.lowest)].tflops) r.lowest = i;
  return r;
}

}  // namespace loom::model
