#include "core/model/estimate.h"

#include <algorithm>
#include <cmath>

#include "core/model/active_clusters.h"
#include "core/model/cluster_network.h"
#include "core/model/instruction_fetch.h"
#include "core/model/local_memory.h"
#include "core/model/misses.h"
#include "core/model/rate.h"
#include "core/model/role_estimate.h"

namespace loom::model {
namespace {

// Work of one phase, of all warps of the grid.
struct PhaseUsage : PipeUsage {
  bool loads = false, stores = false, multiplies = false;
};

double megahertz(const Device& d) { return *d.value(Quantity::ClockMhz); }

// Bytes that an instruction brings from other blocks' shared memory.
double fetched(const KernelAccesses& k, const CompiledAccess& a) {
  return a.accesses.empty() ? 0 : a.lanes * a.bytes * shareOfOthers(k, k.accesses[std::size_t(a.accesses.front())]);
}

std::vector<PhaseUsage> fromMachineCode(const KernelAccesses& k, const sass::Kernel& sass, const CompiledCount& c,
                                        const L1Misses& l1) {
  std::vector<PhaseUsage> phases(1);
  auto memory = c.memory.begin();
  for (int n = 0; n < int(sass.instructions.size()); ++n) {
    const sass::Instruction& i = sass.instructions[std::size_t(n)];
    const CompiledAccess* access = memory != c.memory.end() && memory->instruction == n ? &*memory++ : nullptr;
    PhaseUsage& d = phases.back();
    d += pipeUsageOf(i, c.executions[std::size_t(n)], access, access != nullptr ? missShare(*access, l1.sectors) : 0);
    if (access != nullptr) d.fetched += fetched(k, *access);
    if (i.loop >= 0 && clocksOfFetch(sass.loops[std::size_t(i.loop)]) > 1)
      d.beyondCache += c.executions[std::size_t(n)];
    d.multiplies |= i.pipe == sass::Pipe::Fma || i.pipe == sass::Pipe::Tensor;
    d.loads |= i.pipe == sass::Pipe::GlobalLoad && i.loop >= 0;
    d.stores |= i.pipe == sass::Pipe::GlobalStore;
    if (i.pipe == sass::Pipe::Barrier) phases.emplace_back();
  }
  if (c.wavefrontsByThemselves > 0)
    std::ranges::max_element(phases, {}, &PhaseUsage::tensor)->wavefronts += c.wavefrontsByThemselves;
  return phases;
}

std::vector<PhaseUsage> fromProgram(const KernelAccesses& k, const KernelCount& c, const L1Misses& l1) {
  std::vector<PhaseUsage> phases(k.barriers.size() + 1);
  for (std::size_t i = 0; i < k.accesses.size(); ++i) {
    const Access& a = k.accesses[i];
    PhaseUsage& d = phases[std::size_t(a.phase)];
    d += pipeUsageOf(a, c.accesses[i], l1.sectors[i]);
    d.fetched += c.accesses[i].bytes * shareOfOthers(k, a);
    d.loads |= a.memory == device::Memory::Global && !a.write;
    d.stores |= a.memory == device::Memory::Global && a.write;
  }
  for (std::size_t i = 0; i < k.barriers.size(); ++i) phases[i] += pipeUsageOf(k.barriers[i], *k.kernel);
  for (std::size_t i = 0; i < k.work.size(); ++i) {
    PhaseUsage& d = phases[std::size_t(k.work[i].phase)];
    d += pipeUsageOf(k.work[i], c.work[i]);
    d.multiplies = true;
  }
  return phases;
}

std::string nameOf(const PhaseUsage& d) {
  std::string name = d.loads ? "load" : "";
  if (d.multiplies) name += name.empty() ? "multiply" : " and multiply";
  if (d.stores) name += name.empty() ? "store" : " and store";
  return name.empty() ? "prepare" : name;
}

std::vector<PipeClocks> pipesOf(const PipeUsage& d, double share, const PipeRates& r) {
  std::vector<PipeClocks> pipes;
  pipes.push_back({"issue", share * d.instructions * r.instruction,
                   message("{:.0f} warp instructions over {:.0f} schedulers", share * d.instructions, r.schedulers)});
  if (d.beyondCache > 0)
    pipes.push_back({"instruction cache", share * d.beyondCache / kFetchedPerClock,
                     message("{:.0f} warp instructions of loops that are larger than the instruction cache, at {:.3g} "
                             "a clock",
                             share * d.beyondCache, kFetchedPerClock)});
  pipes.push_back({"memory instructions",
                   share * (r.line * d.lines + r.fill * d.fills + r.wavefront * d.wavefronts + r.request * d.requests),
                   message("{:.0f} lines of global memory at {:.3g} clocks each, {:.0f} that L1 fetches at {:.3g}, "
                           "{:.0f} wavefronts of shared memory at {:.3g} in {:.0f} requests at {:.3g} more (fitted)",
                           share * d.lines, r.line, share * d.fills, r.fill, share * d.wavefronts, r.wavefront,
                           share * d.requests, r.request)});
  if (d.fma > 0)
    pipes.push_back({"fp32", share * d.fma * r.fma,
                     message("{:.0f} warp instructions at {:g} a clock", share * d.fma, r.fmaPerClock)});
  if (d.half > 0)
    pipes.push_back({"fp16", share * d.half * r.half,
                     message("{:.0f} warp instructions at {:g} a clock", share * d.half, r.fmaPerClock / 2)});
  if (d.integer > 0)
    pipes.push_back({"integer", share * d.integer * r.integer,
                     message("{:.0f} warp instructions at {:g} a clock", share * d.integer, 1 / r.integer)});
  if (d.integerProducts > 0)
    pipes.push_back({"integer products", share * d.integerProducts * r.integer,
                     message("{:.0f} warp instructions at {:g} a clock", share * d.integerProducts, 1 / r.integer)});
  if (d.barriers > 0)
    pipes.push_back(
        {"barrier", share * d.barriers * r.barrier, message("{:.0f} arrivals of warps", share * d.barriers)});
  if (d.fetched > 0)
    pipes.push_back(
        {"cluster", share * d.fetched * r.fetched,
         message("{:.0f} bytes of other blocks' shared memory at {:.3g} a clock", share * d.fetched, 1 / r.fetched)});
  if (d.tensor > 0 && r.tensor > 0)
    pipes.push_back(
        {"tensor", share * d.tensor * r.tensor,
         r.tensorAtMost
             ? message("{:.0f} products of 4096 FLOP at {:.0f} a clock at most: wgmma's, as mma.sync's isn't "
                       "known",
                       share * d.tensor, r.tensorFlopPerClock)
             : message("{:.0f} products of 4096 FLOP at {:.0f} a clock", share * d.tensor, r.tensorFlopPerClock)});
  return pipes;
}

int busiestOf(const std::vector<PipeClocks>& pipes) {
  auto most = std::max_element(pipes.begin(), pipes.end(),
                               [](const PipeClocks& a, const PipeClocks& b) { return a.clocks < b.clocks; });
  return int(most - pipes.begin());
}

// Of a set of bytes that every launch reads or writes: what L2 no longer has from the launch before.
double shareBeyondL2(double bytes, const Device& device, const CalibratedConstants& f) {
  const double kept = f.l2Kept * device.value(Quantity::L2Bytes).value_or(0);
  return kept > 0 ? shareBeyond(bytes, kept) : 0;
}

// Of the statements, when L1 lacks these shares of what they load. `alone`: only what moves by itself.
L2Traffic asWritten(const KernelAccesses& k, const KernelCount& count, const std::vector<double>& shares, bool alone) {
  L2Traffic l2;
  for (std::size_t i = 0; i < k.accesses.size(); ++i) {
    if (k.accesses[i].memory != device::Memory::Global || (alone && !movesByItself(k.accesses[i]))) continue;
    const AccessCost& c = count.accesses[i];
    if (k.accesses[i].write) {
      l2.stored += c.sectors, l2.storedLines += c.lines;
      if (c.lanes * k.accesses[i].bytes * k.accesses[i].elements < c.sectors * layout::kSectorBytes)
        l2.partly += c.sectors;
    } else {
      l2.loaded += shares[i] * c.sectors, l2.loadedLines += shares[i] * c.lines;
    }
  }
  return l2;
}

}  // namespace

double L2Traffic::bytes() const { return (loaded + stored) * layout::kSectorBytes; }

double L2Traffic::charged(const CalibratedConstants& f) const {
  return std::max(loaded, f.l2LineLoaded * loadedLines) + f.l2LineStored * storedLines + stored +
         (f.l2SectorPartly - 1) * partly;
}

std::vector<double> missedClocks(const sass::Kernel& sass, const CompiledCount& compiled, const Misses& misses,
                                 const CalibratedConstants& f) {
  const double latency = f.missLatency + misses.l2 * f.memoryLatency;
  std::vector<double> missed(sass.instructions.size());
  for (const CompiledAccess& m : compiled.memory) {
    if (sass.instructions[std::size_t(m.instruction)].pipe != sass::Pipe::GlobalLoad) continue;
    double chance = 0;  // loads of one statement are waited for together: one that misses is enough
    for (int a : m.accesses) chance = std::max(chance, misses.l1.waits[std::size_t(a)]);
    missed[std::size_t(m.instruction)] = chance * latency + m.lines / std::max(1.0, m.executions);
  }
  return missed;
}

Result<Estimate> estimate(const KernelAccesses& k, const KernelCount& count, const Hierarchy& hierarchy,
                          const Occupancy& occupancy, const Device& device, const sass::Kernel* sass,
                          const CompiledCount* compiled, const CalibratedConstants& f) {
  const auto clusters = activeClusters(device, occupancy, *k.kernel);
  if (!clusters) return Failure(clusters.error());
  if (auto clock = device.need(Quantity::ClockMhz); !clock) return Failure(clock.error());
  if (occupancy.blocks == 0)
    return fail("TooLarge", message("no block of this kernel fits on a multiprocessor"), Forbids::Hardware);
  if (clusters->clusters == 0)
    return fail("TooLarge", message("no GPC of {} has room for a cluster of {} blocks", device.name, clusters->size),
                Forbids::Hardware);
  Estimate e;
  e.asCompiled = sass && compiled;
  double blocks = double(k.kernel->blocks()), warpsPerBlock = double((k.kernel->threads() + 31) / 32);
  double warps = blocks * warpsPerBlock;
  double busy = double(clusters->busiest(k.kernel->blocks()));  // blocks of the busiest multiprocessor
  double share = busy / blocks;
  double resident = std::min<double>(occupancy.blocks, busy);

  e.l1 = missesOfL1(k, count, occupancy, device);
  const L1Misses& l1 = e.l1;
  std::vector<PhaseUsage> demands = e.asCompiled ? fromMachineCode(k, *sass, *compiled, l1) : fromProgram(k, count, l1);
  const PipeRates rates = pipeRates(k, device, f, resident * warpsPerBlock);
  PipeUsage whole;
  double serial = 0;
  for (const PhaseUsage& d : demands) {
    Phase p{nameOf(d), pipesOf(d, share, rates), 0};
    p.busiest = busiestOf(p.pipes);
    serial += p.pipes[std::size_t(p.busiest)].clocks;
    whole += d;
    if (d.instructions > 0) e.phases.push_back(std::move(p));
  }
  e.pipes = pipesOf(whole, share, rates);

  // Caches and memory serve all multiprocessors together.
  double clock = megahertz(device);
  e.l2Written = asWritten(k, count, l1.sectors, false);
  double localBeyondL2 = 0;  // bytes of local memory that come from and go to device memory
  L2Traffic& l2 = e.l2;
  if (e.asCompiled) {
    l2 = asWritten(k, count, l1.sectors, true);
    for (const CompiledAccess& m : compiled->memory) {
      const sass::Instruction& i = sass->instructions[std::size_t(m.instruction)];
      if (i.pipe == sass::Pipe::GlobalStore) {
        l2.stored += m.sectors - m.joinedSectors;
        l2.storedLines += m.lines - m.joinedLines;
        l2.partly += m.partialSectors;
      }
      if (i.pipe != sass::Pipe::GlobalLoad) continue;
      double missing = missShare(m, l1.sectors);
      l2.loaded += missing * m.sectors, l2.loadedLines += missing * m.lines;
    }
    const LocalTraffic local = localTrafficOf(*sass, *compiled);
    const double bytes = local.bytesOfThread * double(k.kernel->threads()) * resident;  // of one multiprocessor
    const double beyondL1 = shareBeyond(bytes, capacityOfL1(occupancy, resident, device));
    constexpr double kSectors = double(layout::kLineBytes) / layout::kSectorBytes;
    l2.loaded += beyondL1 * local.loaded, l2.loadedLines += beyondL1 * local.loaded / kSectors;
    l2.stored += beyondL1 * local.stored, l2.storedLines += beyondL1 * local.stored / kSectors;
    const double used = std::min(blocks, device.value(Quantity::Multiprocessors).value_or(1));
    localBeyondL2 =
        beyondL1 * shareBeyondL2(bytes * used, device, f) * (local.loaded + local.stored) * layout::kSectorBytes;
  } else {
    l2 = e.l2Written;
  }
  if (auto rate = device.value(Quantity::L2GbPerS)) {
    e.pipes.push_back(
        {"l2", l2.charged(f) * layout::kSectorBytes / *rate / 1000 * clock,
         message("{:.0f} bytes that L1 doesn't have in {:.0f} lines, {:.0f} bytes stored in {:.0f}",
                 l2.loaded * layout::kSectorBytes, l2.loadedLines, l2.stored * layout::kSectorBytes, l2.storedLines)});
  }
  // Measured times are of a warm L2: what fits into it comes from memory once, before they begin.
  const auto least = memoryBytes(hierarchy);
  const double gone = least ? shareBeyondL2(least->value, device, f) : 0;
  if (gone > 0 && l2.loaded > 0) e.missesL2 = gone * std::min(1.0, least->value / (l2.loaded * layout::kSectorBytes));
  if (auto memory = rateOf(device, Quantity::MemoryGbPerS); memory && least) {
    const double perByte = clock / memory->value / 1000, all = least->value * perByte;
    if (localBeyondL2 > 0)
      e.pipes.push_back(
          {"memory", gone * all + localBeyondL2 * perByte,
           message("{:.0f} of {:.0f} distinct bytes, and {:.0f} bytes of threads' local memory: L2 doesn't "
                   "keep them",
                   gone * least->value, least->value, localBeyondL2)});
    else
      e.pipes.push_back(
          gone > 0 ? PipeClocks{"memory", gone * all,
                                message("{:.0f} of {:.0f} distinct bytes: L2 doesn't keep them from launch to launch",
                                        gone * least->value, least->value)}
                   : PipeClocks{kColdMemory, all, message("{:.0f} distinct bytes, if L2 is cold", least->value)});
  }
  auto counted = e.pipes;
  std::erase_if(counted, [](const PipeClocks& p) { return p.pipe == kColdMemory; });
  e.busiest = busiestOf(counted);
  const double longest = counted[std::size_t(e.busiest)].clocks;
  double joined = 0;  // in units of the longest
  for (const PipeClocks& p : counted) joined += longest > 0 ? std::pow(p.clocks / longest, f.overlap) : 0;
  e.throughputClocks = longest * std::pow(joined, 1 / f.overlap) + std::max(0.0, serial - longest) / resident;

  if (e.asCompiled) {
    std::vector<double> missed = missedClocks(*sass, *compiled, {l1, e.missesL2}, f);  // by instruction
    for (const CompiledAccess& a : compiled->memory)
      if (fetched(k, a) > 0) missed[std::size_t(a.instruction)] = ClusterNetwork{}.latency - f.latencies.shared;
    double lone = passLatency(*sass, -1, f.latencies, missed);
    for (int i = 0; i < int(sass->loops.size()); ++i)
      lone += compiled->loops[std::size_t(i)].iterations / warps * passLatency(*sass, i, f.latencies, missed);
    e.latencyClocks = lone * busy / resident;
  }
  // One warp waits for its own instructions; many hide each other's waits.
  double alone = e.latencyClocks + e.throughputClocks / std::max(1.0, resident * warpsPerBlock);
  double p = f.smoothness;
  double clocks = std::pow(std::pow(e.throughputClocks, p) + std::pow(alone, p), 1 / p);
  if (resident * warpsPerBlock <= 1) clocks = alone;
  clocks += meetingClocks(k) * busy / resident;  // all of a block wait there, and other blocks alone can hide it
  // Blocks start while others run: what that takes longer than all they do.
  const double starts = f.clocksPerBlock * blocks;
  const double both = std::pow(std::pow(clocks, f.overlap) + std::pow(starts, f.overlap), 1 / f.overlap);
  e.startMicroseconds = (both - clocks) / clock;
  e.launchMicroseconds = f.launchMicroseconds + e.startMicroseconds;
  e.microseconds = clocks / clock + e.launchMicroseconds;
  e.how = e.asCompiled ? message("from the machine code, executed as often as the program says")
                       : message("from the statements as written; compilers do less, so this is a rough bound");
  if (device.id != "h200") e.how = message("{}; latencies and slack were fitted on an H200", e.how);
  if (!device.value(Quantity::L2GbPerS)) e.how = message("{}; L2's rate isn't known and isn't counted", e.how);
  estimateByRoles(e, k, count, occupancy, device);
  return e;
}

}  // namespace loom::model
