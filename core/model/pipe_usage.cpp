#include "core/model/pipe_usage.h"

#include <algorithm>

#include "core/model/cluster_network.h"
#include "core/model/estimate.h"
#include "core/model/product_rate.h"
#include "core/sass/countable.h"

namespace loom::model {
namespace {

// FLOP a clock of one multiprocessor on tensor cores. Where mma.sync's peak isn't known, wgmma's stands in: more the
// same units can't do. Of products of several kinds the one with the highest rate counts.
double tensorRate(const KernelAccesses& k, const Device& d, bool& atMost) {
  const auto kinds = productKinds(k);
  const device::ProductKind kind = kinds.empty() ? device::ProductKind::F16F32 : *std::ranges::max_element(kinds);
  const ProductRate rate = hasWarpgroupProducts(k) ? rateOfWarpgroups(kind) : rateOfProducts(executedAs(kind, d));
  auto peak = peakOf(rate, d);
  atMost = !peak;
  if (!peak) peak = d.value(rate.atMost);
  auto sms = d.value(Quantity::Multiprocessors), clock = d.value(Quantity::ClockMhz);
  return peak && sms && clock ? *peak * 1e6 / *sms / *clock : 0;
}

// Warp instructions of integers that a sub-partition does in a clock: it has 16 lanes for them. CUDA C++ Programming
// Guide, arithmetic throughput: 64 results a clock of a multiprocessor, for additions, logic, shifts and permutations
// as for products, in every architecture from Turing to Hopper.
constexpr double kIntegersPerPart = 0.5;

bool isProduct(const sass::Instruction& i) { return i.opcode.starts_with("IMAD") || i.opcode.starts_with("IDP"); }

// Bytes of a thread from which on an asynchronous copy passes L1 by (cp.async.cg).
constexpr int kPastL1 = 16;

double linesOf(double sectors) { return sectors * layout::kSectorBytes / layout::kLineBytes; }

}  // namespace

PipeUsage& PipeUsage::operator+=(const PipeUsage& more) {
  instructions += more.instructions, lines += more.lines, fills += more.fills, wavefronts += more.wavefronts;
  requests += more.requests;
  fma += more.fma, half += more.half, tensor += more.tensor, barriers += more.barriers;
  integer += more.integer, integerProducts += more.integerProducts;
  fetched += more.fetched;
  beyondCache += more.beyondCache;
  return *this;
}

PipeUsage PipeUsage::operator*(double f) const {
  PipeUsage d = *this;
  for (double* amount : {&d.instructions, &d.lines, &d.fills, &d.wavefronts, &d.requests, &d.fma, &d.half, &d.tensor,
                         &d.barriers, &d.integer, &d.integerProducts, &d.fetched, &d.beyondCache})
    *amount *= f;
  return d;
}

PipeUsage pipeUsageOf(const Access& access, const AccessCost& cost, double missing) {
  if (access.memory == device::Memory::Local || access.memory == device::Memory::Fragment) return {};
  const bool copies = access.agent == device::Agent::AsyncCopy;
  PipeUsage d;
  d.instructions = 2 * cost.requests;
  d.lines = cost.lines;
  // What a copy writes passes with the lines that it reads, but for what conflicts add.
  d.wavefronts = copies ? cost.conflicts : cost.wavefronts;
  if (isShared(access.memory)) d.requests = cost.requests;
  if (!movesByItself(access) && (!copies || access.bytes * access.elements < kPastL1))
    d.fills = linesOf(missing * cost.sectors);
  return d;
}

PipeUsage pipeUsageOf(const Work& work, const AccessCost& cost) {
  PipeUsage d;
  d.fma = cost.executions * work.flops / 2;
  d.tensor = cost.executions * work.tensorFlops / sass::kTensorProduct;
  const bool one = work.product && work.product->row->agent == device::Agent::TensorCore;
  d.instructions = d.fma + (one ? cost.executions : d.tensor);
  return d;
}

PipeUsage pipeUsageOf(const BarrierInfo& barrier, const device::Kernel& kernel) {
  PipeUsage d;
  d.barriers = double((kernel.threads() + 31) / 32) * double(kernel.blocks()) * barrier.perBlock;
  return d;
}

PipeUsage pipeUsageOf(const sass::Instruction& instruction, double executions, const CompiledAccess* access,
                      double missing) {
  PipeUsage d;
  d.instructions = executions;
  switch (instruction.pipe) {
    case sass::Pipe::Fma: d.fma = executions; break;
    case sass::Pipe::Half: d.half = executions; break;
    case sass::Pipe::Tensor: d.tensor = executions * sass::tensorFlops(instruction) / sass::kTensorProduct; break;
    case sass::Pipe::Barrier: d.barriers = executions; break;
    case sass::Pipe::Integer: (isProduct(instruction) ? d.integerProducts : d.integer) = executions; break;
    case sass::Pipe::LocalLoad:
    case sass::Pipe::LocalStore: d.lines = executions * std::max(1, instruction.bytes / 4); break;
    default: break;
  }
  if (access) {
    if (instruction.toShared)
      d.lines += std::max(access->lines, access->wavefronts);
    else
      d.lines += access->lines, d.wavefronts += access->wavefronts;
    if (access->wavefronts > 0) d.requests += access->executions;
    if (!sass::hasModifier(instruction.opcode, "BYPASS")) d.fills += linesOf(missing * access->sectors);
  }
  return d;
}

PipeRates pipeRates(const KernelAccesses& k, const Device& device, const CalibratedConstants& f, double warps) {
  PipeRates r;
  const double parts = device.value(Quantity::SubPartitions).value_or(4);
  const double used = std::min(1.0, warps / parts);
  r.schedulers = parts * used;
  r.fmaPerClock = used * device.value(Quantity::Fp32FlopPerClock).value_or(256) / 64;  // warp instructions
  r.tensorFlopPerClock = used * tensorRate(k, device, r.tensorAtMost);
  r.instruction = f.issueSlack / r.schedulers;
  r.line = r.fill = f.clocksPerLine;
  r.wavefront = f.clocksPerWavefront;
  r.request = f.clocksPerSharedRequest;
  r.fma = 1 / r.fmaPerClock;
  r.half = 2 / r.fmaPerClock;
  r.integer = 1 / (kIntegersPerPart * parts * used);
  r.tensor = r.tensorFlopPerClock > 0 ? sass::kTensorProduct / r.tensorFlopPerClock : 0;
  r.barrier = f.clocksPerBarrier;
  r.fetched = 1 / ClusterNetwork{}.bytes(k.kernel->blocksOfCluster());
  return r;
}

}  // namespace loom::model
