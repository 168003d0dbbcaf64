#include "core/model/roofline.h"

#include <fmt/format.h>

namespace loom::model {
namespace {

struct Peak {
  Quantity quantity;
  const char* name;
};

// The peak of the path that the kernel takes: warp-level products reach mma.sync's, not wgmma's.
std::optional<Peak> peakOf(const KernelAccesses& k, bool tensor) {
  if (!tensor) return Peak{Quantity::Fp32Tflops, "fp32"};
  for (const Work& w : k.work) {
    if (w.tensorFlops <= 0) continue;
    const auto& n = *static_cast<const device::WmmaNode*>(w.statement);
    if (w.dtype == ir::DType::Float(16)) {
      return n.d.fragment->dtype.bits == 16 ? Peak{Quantity::MmaF16F16Tflops, "mma.sync f16→f16"}
                                            : Peak{Quantity::MmaF16F32Tflops, "mma.sync f16→f32"};
    }
    if (w.dtype == ir::DType::BFloat(16)) return Peak{Quantity::MmaBf16F32Tflops, "mma.sync bf16→f32"};
    if (w.dtype.isIntegral() && w.dtype.bits == 8) return Peak{Quantity::MmaS8Tops, "mma.sync s8→s32"};
  }
  return std::nullopt;
}

}  // namespace

Roofline rooflineOf(const KernelAccesses& k, const KernelCount& count, const Hierarchy& hierarchy,
                    const Device& device) {
  Roofline r;
  r.tensor = count.tensorFlops > 0;
  r.flops = r.tensor ? count.tensorFlops : count.flops;
  if (r.flops <= 0) {
    r.unknown.push_back("the kernel does no floating-point arithmetic that is counted");
    return r;
  }
  if (auto peak = peakOf(k, r.tensor)) {
    if (const Figure* f = device.find(peak->quantity)) {
      r.roofs.push_back({peak->name, true, f->value, f->source, f->value, 0});
    } else {
      r.unknown.push_back(fmt::format("the peak of {} on {} isn't known", peak->name, device.name));
    }
  } else {
    r.unknown.push_back("no peak is known for these operands");
  }
  double written = 0;
  bool known = true;
  for (const Resident& b : hierarchy.residents) {
    if (b.memory != device::Memory::Global || b.written <= 0) continue;
    known &= b.gridFootprint.has_value();
    if (b.gridFootprint) written += b.gridFootprint->value;
  }
  const Link* in = hierarchy.find(Place::Memory, Place::L2);
  if (in && known) {
    double bytes = in->bytes + written;
    r.intensity = {r.flops / bytes,
                   fmt::format("{:.0f} FLOP over {:.0f} distinct bytes read and written", r.flops, bytes)};
    if (const Figure* f = device.find(Quantity::MemoryGbPerS))
      r.roofs.push_back({"memory", false, f->value, f->source, f->value * r.intensity->value / 1000, bytes});
    else
      r.unknown.push_back(fmt::format("the memory bandwidth of {} isn't known", device.name));
    if (const Link* l2 = hierarchy.find(Place::L2, Place::Global)) {
      if (const Figure* f = device.find(Quantity::L2GbPerS); f && l2->bytes > 0)
        r.roofs.push_back(
            {"l2", false, f->value, f->source, f->value * r.flops / (l2->bytes + written) / 1000, l2->bytes + written});
      else if (!f)
        r.unknown.push_back(fmt::format("the L2 bandwidth of {} isn't known", device.name));
    }
  } else {
    r.unknown.push_back("the bytes that must come from memory aren't known: an index can't be taken apart");
  }
  double wavefronts = count.sharedLoadWavefronts + count.sharedStoreWavefronts;
  auto perClock = device.value(Quantity::SharedBytesPerClock), clock = device.value(Quantity::ClockMhz),
       sms = device.value(Quantity::Multiprocessors);
  if (wavefronts > 0 && perClock && clock && sms) {
    double bandwidth = *perClock * *clock * *sms / 1000;  // GB/s
    double bytes = wavefronts * *perClock;                // a wavefront takes the whole width
    r.roofs.push_back({"shared", false, bandwidth, device.find(Quantity::SharedBytesPerClock)->source,
                       bandwidth * r.flops / bytes / 1000, bytes});
  }
  for (int i = 0; i < int(r.roofs.size()); ++i)
    if (r.lowest < 0 || r.roofs[std::size_t(i)].tflops < r.roofs[std::size_t(r.lowest)].tflops) r.lowest = i;
  return r;
}

}  // namespace loom::model
