#include "core/model/latency.h"

#include <algorithm>
#include <array>

#include "core/model/instruction_fetch.h"
#include "core/model/product_rate.h"

namespace loom::model {
namespace {

constexpr int kRegisters = 1024;

double latencyOf(const sass::Instruction& i, const Latencies& l) {
  if (const double clocks = warpgroupClocks(i); clocks > 0) return std::max(l.tensor, clocks);
  switch (i.pipe) {
    case sass::Pipe::GlobalLoad:
    case sass::Pipe::LocalLoad: return l.global;
    case sass::Pipe::SharedLoad: return l.shared;
    case sass::Pipe::LdMatrix: return l.ldmatrix;
    case sass::Pipe::Fma: return l.arithmetic;
    case sass::Pipe::Half: return l.half;
    case sass::Pipe::Tensor: return l.tensor;
    case sass::Pipe::Special: return l.special;
    default: return l.integer;
  }
}

}  // namespace

std::vector<PassClocks> passClocks(const sass::Kernel& sass, int loop, const Latencies& latencies,
                                   const std::vector<double>& missed) {
  std::vector<PassClocks> clocks(sass.instructions.size());
  std::array<double, kRegisters> ready{};
  std::array<int, kRegisters> maker{};
  maker.fill(-1);
  // Code outside of loops is run once: nothing is known of what it waits for.
  const double fetch = loop < 0 ? 1 : clocksOfFetch(sass.loops[std::size_t(loop)]);
  double now = 0;
  // The first pass fills the pipeline, the second is steady.
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
      const sass::Instruction& i = sass.instructions[n];
      if (i.loop != loop) continue;
      PassClocks& c = clocks[n];
      c = {};
      const double latency = latencyOf(i, latencies) + (n < missed.size() ? missed[n] : 0);
      const double before = now;
      auto until = [&](int r, double time) {
        if (r >= kRegisters || time <= now) return;
        now = time;
        c.waitsFor = maker[std::size_t(r)];
      };
      for (int r : i.reads) until(r, r < kRegisters ? ready[std::size_t(r)] : 0);
      for (int r : i.writes) until(r, r < kRegisters ? ready[std::size_t(r)] - latency : 0);
      c.wait = now - before;
      for (int r : i.writes) {
        if (r >= kRegisters) continue;
        ready[std::size_t(r)] = now + latency;
        maker[std::size_t(r)] = int(n);
      }
      // Tensor instructions of one warp follow each other at half the rate at which they issue.
      c.issue = std::max(fetch, i.pipe == sass::Pipe::Tensor ? 2.0 : 1.0);
      const double after = (i.pipe == sass::Pipe::Barrier ? latencies.barrier : 0) +
                           (i.pipe == sass::Pipe::Control ? latencies.branch : 0);
      if (after > 0) c.waitsFor = int(n);
      c.wait += after;
      now += c.issue + after;
    }
  }
  return clocks;
}

double passLatency(const sass::Kernel& sass, int loop, const Latencies& latencies, const std::vector<double>& missed) {
  double all = 0;
  for (const PassClocks& c : passClocks(sass, loop, latencies, missed)) all += c.issue + c.wait;
  return all;
}

}  // namespace loom::model
