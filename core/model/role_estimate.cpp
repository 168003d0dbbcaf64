#include "core/model/role_estimate.h"

#include <algorithm>
#include <cmath>

#include "core/model/active_clusters.h"
#include "core/model/product_rate.h"

namespace loom::model {
namespace {

bool loadsByEngine(const KernelAccesses& k) {
  return std::ranges::any_of(k.accesses,
                             [](const Access& a) { return a.agent == device::Agent::CopyEngine && !a.write; });
}

// Of so much data the share that L2 doesn't keep from one launch to the next.
double beyondL2(double bytes, const Device& device) {
  const double kept = CalibratedConstants{}.l2Kept * device.value(Quantity::L2Bytes).value_or(0);
  return bytes > kept ? 1 - kept / bytes : 0;
}

double bytesGiven(const device::Kernel& kernel) {
  double all = 0;
  for (const ir::Buffer& b : kernel.params) {
    double elements = 1;
    for (const ir::Expr& extent : b->shape) elements *= double(ir::constantOr(extent, 1));
    all += elements * b->dtype.bytes();
  }
  return all;
}

// How far the data exceeds L2, from 0 to 1: 1 from products of 4096³ on.
double beyondL2(double bytes, const Device& device, const RoleConstants& c) {
  return std::min(1.0, beyondL2(bytes, device) / c.wallBeyondL2);
}

// A multiprocessor as blocks find it at this clock: L2 and the links to it have a clock of their own.
RoleMachine machineOf(const KernelAccesses& k, const Occupancy& occupancy, const Device& device, double megahertz,
                      const RoleConstants& c) {
  const ActiveClusters clusters = *activeClusters(device, occupancy, *k.kernel);
  const double used = std::min(clusters.usableMultiprocessors(), double(k.kernel->blocks()));
  const double link = c.boxBytes * *device.value(Quantity::ClockMhz) / megahertz;
  const double l2 = *device.value(Quantity::L2GbPerS) * 1000 / megahertz / used;
  RoleMachine m;
  m.multiprocessors = int(clusters.multiprocessors);
  m.blocks = int(clusters.busiest(k.kernel->blocks()));
  m.resident = std::min(occupancy.blocks, m.blocks);
  m.boxBytes = std::min(link, l2 / c.l2Asked);
  m.boxLatency = c.boxLatency + beyondL2(bytesGiven(*k.kernel), device, c) * (c.memoryLatency - c.boxLatency);
  m.lineClocks = c.lineNanoseconds * megahertz / 1000;
  m.writeBytes = c.writeShare * std::min(link, l2);
  return m;
}

// The clock that the tensor cores' share of their peak leaves, in MHz.
double sustained(const Device& device, double share, double bytes, const RoleConstants& c) {
  const double stated = *device.value(Quantity::ClockMhz);
  const auto figure = device.value(Quantity::TensorClockMhz);
  if (!figure) return stated;
  const double beyond = beyondL2(bytes, device, c);
  const double wall = std::min(stated, *figure * std::cbrt((c.wallRest + c.wallAt) / (c.wallRest + share)) *
                                           (1 + (1 - beyond) * (c.wallWithinL2 - 1)));
  const double from = c.wallFrom - beyond * c.wallEarlier, to = c.wallTo - beyond * c.wallEarlier;
  const double part = std::clamp((share - from) / (to - from), 0.0, 1.0);
  return stated + part * (wall - stated);
}

// The run at the clock that power leaves, and what it goes by.
struct SustainedRun {
  std::vector<RoleStep> steps;
  RoleMachine machine;
  double flopPerClock = 0, megahertz = 0;
  RoleRun run;
};
std::optional<SustainedRun> sustainedRun(const KernelAccesses& k, const KernelCount& count, const Occupancy& occupancy,
                                         const Device& device, const RoleConstants& c) {
  if (!hasWarpgroupProducts(k) || !loadsByEngine(k) || !device.value(Quantity::L2GbPerS)) return std::nullopt;
  SustainedRun s;
  s.flopPerClock = flopPerClock(productKinds(k).front());
  auto steps = roleSteps(k, count, s.flopPerClock);
  if (!steps) return std::nullopt;
  s.steps = std::move(*steps);
  const double stated = *device.value(Quantity::ClockMhz);
  s.machine = machineOf(k, occupancy, device, stated, c);
  auto run = runRoles(*k.kernel, s.steps, s.machine, c);
  if (!run) return std::nullopt;
  const double share =
      count.tensorFlops / (s.flopPerClock * s.machine.multiprocessors * (run->clocks + c.launchMicroseconds * stated));
  s.megahertz = sustained(device, share, bytesGiven(*k.kernel), c);
  if (s.megahertz < stated) {
    s.machine = machineOf(k, occupancy, device, s.megahertz, c);
    run = runRoles(*k.kernel, s.steps, s.machine, c);
    if (!run) return std::nullopt;
  }
  s.run = *run;
  return s;
}

}  // namespace

double loadedMegahertz(const Device& device, double bytes, const RoleConstants& c) {
  return sustained(device, c.wallAt, bytes, c);
}

std::optional<RoleTrace> roleTraceOf(const KernelAccesses& k, const KernelCount& count, const Occupancy& occupancy,
                                     const Device& device, const RoleConstants& c) {
  const auto played = sustainedRun(k, count, occupancy, device, c);
  if (!played) return std::nullopt;
  RoleTrace trace;
  trace.megahertz = played->megahertz;
  trace.powerBound = played->megahertz < *device.value(Quantity::ClockMhz);
  if (!runRoles(*k.kernel, played->steps, played->machine, c, &trace)) return std::nullopt;
  return trace;
}

bool estimateByRoles(Estimate& e, const KernelAccesses& k, const KernelCount& count, const Occupancy& occupancy,
                     const Device& device, const RoleConstants& c) {
  const auto played = sustainedRun(k, count, occupancy, device, c);
  if (!played) return false;
  const double stated = *device.value(Quantity::ClockMhz), megahertz = played->megahertz;
  const RoleMachine& m = played->machine;
  const RoleRun* run = &played->run;

  // Clocks of the device's stated rate, as those of all pipes.
  const double longer = stated / megahertz;
  const auto pipe = [&](const char* name, double clocks, Message how) {
    return PipeClocks{name, clocks * longer, std::move(how)};
  };
  std::vector<PipeClocks> pipes{
      pipe("tensor", run->use.tensor,
           message("products at {:.0f} FLOP a clock of one multiprocessor", played->flopPerClock)),
      pipe("shared", run->use.shared,
           message("what products read, and {:g} of what boxes bring, at {:g} bytes a clock", c.fillShare,
                   c.sharedBytes)),
      pipe("copy engine", run->use.copy, message("boxes at {:.3g} bytes a clock", m.boxBytes)),
      pipe("l2", run->use.l2, message("stores at {:.3g} bytes a clock of one multiprocessor", m.writeBytes))};
  double clocks = run->clocks * longer;
  for (PipeClocks& p : e.pipes) {
    if (p.pipe == "memory") clocks = std::max(clocks, p.clocks);
    if (p.pipe == "issue" || p.pipe == "memory" || p.pipe == kColdMemory) pipes.push_back(std::move(p));
  }
  std::erase_if(pipes, [](const PipeClocks& p) { return p.clocks <= 0; });
  e.pipes = std::move(pipes);
  e.busiest = 0;
  for (int i = 0; i < int(e.pipes.size()); ++i) {
    const PipeClocks& p = e.pipes[std::size_t(i)];
    if (p.pipe != kColdMemory && p.clocks > e.pipes[std::size_t(e.busiest)].clocks) e.busiest = i;
  }
  e.throughputClocks = std::min(clocks, e.pipes[std::size_t(e.busiest)].clocks);
  e.latencyClocks = 0;
  e.launchMicroseconds = c.launchMicroseconds;
  e.startMicroseconds = 0;
  e.microseconds = clocks / stated + c.launchMicroseconds;
  e.megahertz = megahertz;
  e.powerBound = megahertz < stated;
  e.roles = *run;
  e.asCompiled = false;
  e.l2 = e.l2Written;
  e.how = message("by roles: warps, the copy engine and tensor cores side by side, as far as they wait for each other");
  if (e.powerBound)
    e.how = message("{}; power binds: {} holds {:.0f} of {:.0f} MHz while its tensor cores are this busy", e.how,
                    device.name, megahertz, stated);
  return true;
}

}  // namespace loom::model
