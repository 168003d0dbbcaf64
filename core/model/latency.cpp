#include "core/model/latency.h"

#include <algorithm>
#include <array>

namespace loom::model {
namespace {

constexpr int kRegisters = 1024;

double latencyOf(const Instruction& i, const Latencies& l) {
  switch (i.pipe) {
    case Pipe::GlobalLoad:
    case Pipe::LocalLoad: return l.global;
    case Pipe::SharedLoad: return l.shared;
    case Pipe::LdMatrix: return l.ldmatrix;
    case Pipe::Fma: return l.arithmetic;
    case Pipe::Half: return l.half;
    case Pipe::Tensor: return l.tensor;
    case Pipe::Special: return l.special;
    default: return l.integer;
  }
}

}  // namespace

double passLatency(const SassKernel& sass, int loop, const Latencies& latencies, const std::vector<double>& missed) {
  std::array<double, kRegisters> ready{};
  double now = 0, start = 0;
  // The first pass fills the pipeline, the second is steady.
  for (int pass = 0; pass < 2; ++pass) {
    start = now;
    for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
      const Instruction& i = sass.instructions[n];
      if (i.loop != loop) continue;
      double latency = latencyOf(i, latencies) + (n < missed.size() ? missed[n] : 0);
      for (int r : i.reads)
        if (r < kRegisters) now = std::max(now, ready[std::size_t(r)]);
      for (int r : i.writes)
        if (r < kRegisters) now = std::max(now, ready[std::size_t(r)] - latency);
      double done = now + latency;
      for (int r : i.writes)
        if (r < kRegisters) ready[std::size_t(r)] = done;
      // Tensor instructions of one warp follow each other at half the rate at which they issue.
      now += i.pipe == Pipe::Tensor ? 2 : 1;
      if (i.pipe == Pipe::Barrier) now += latencies.barrier;
      if (i.pipe == Pipe::Control) now += latencies.branch;
    }
  }
  return now - start;
}

}  // namespace loom::model
