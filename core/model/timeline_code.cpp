#include "core/model/timeline_code.h"

#include <algorithm>
#include <map>

#include "core/model/misses.h"

namespace loom::model {
namespace {

using Kind = TimelineAction::Kind;

// Actions by the lines of the CUDA text.
class Lines {
 public:
  Lines(const Timeline& t, const codegen::Source& source, const std::vector<int>& barriers, const KernelAccesses& k)
      : timeline_(t), source_(source) {
    for (std::size_t i = 0; i < barriers.size(); ++i)
      barrierOf_[codegen::lineOf(source, k.barriers[i].statement->number)] = barriers[i];
    for (int n = 0; n < int(t.actions.size()); ++n) {
      const TimelineAction& a = t.actions[std::size_t(n)];
      if (a.block) byBlock_[a.block].push_back(n);
      for (int i : a.accesses) byStatement_[k.accesses[std::size_t(i)].statement->number] = n;
      for (int i : a.work) byStatement_[k.work[std::size_t(i)].statement->number] = n;
    }
  }

  // -1: nothing says.
  int actionOf(const sass::Instruction& i, const CompiledAccess* access) const {
    if (i.pipe == sass::Pipe::Barrier) {
      auto at = barrierOf_.find(i.line);
      return at == barrierOf_.end() ? -1 : at->second;
    }
    const codegen::LineOrigin* line =
        i.line >= 1 && i.line <= int(source_.lines.size()) ? &source_.lines[std::size_t(i.line - 1)] : nullptr;
    const ir::Id block = line ? line->block : ir::Id{};
    // A pipeline has the statements of a block several times: before its loop, in it and after it.
    const auto found = line ? byStatement_.find(line->statement) : byStatement_.end();
    const int stated = found == byStatement_.end() ? -1 : found->second;
    if (access && stated >= 0) {
      const std::vector<int>& own = timeline_.actions[std::size_t(stated)].accesses;
      if (std::ranges::any_of(access->accesses, [&](int a) { return std::ranges::count(own, a) > 0; })) return stated;
    }
    if (access)
      for (int n = 0; n < int(timeline_.actions.size()); ++n)
        for (int a : timeline_.actions[std::size_t(n)].accesses)
          if (!access->accesses.empty() && a == access->accesses.front()) return n;
    auto here = byBlock_.find(block);
    const bool arithmetic = i.pipe == sass::Pipe::Tensor || i.pipe == sass::Pipe::Fma || i.pipe == sass::Pipe::Half;
    if (stated >= 0 && arithmetic == (timeline_.actions[std::size_t(stated)].kind == Kind::Multiply)) return stated;
    if (here != byBlock_.end()) {
      for (int n : here->second)
        if (arithmetic == (timeline_.actions[std::size_t(n)].kind == Kind::Multiply)) return n;
      return here->second.front();
    }
    if (i.pipe == sass::Pipe::Tensor)
      for (int n = 0; n < int(timeline_.actions.size()); ++n)
        if (timeline_.actions[std::size_t(n)].kind == Kind::Multiply) return n;
    return -1;
  }

 private:
  const Timeline& timeline_;
  const codegen::Source& source_;
  std::map<int, int> barrierOf_;
  std::map<ir::Id, std::vector<int>> byBlock_;
  std::map<int, int> byStatement_;  // by device::StmtNode::number
};

// What keeps whoever waits for it.
Track trackOf(sass::Pipe p) {
  switch (p) {
    case sass::Pipe::GlobalLoad:
    case sass::Pipe::GlobalStore:
    case sass::Pipe::LocalLoad:
    case sass::Pipe::LocalStore: return Track::Copy;
    case sass::Pipe::SharedLoad:
    case sass::Pipe::SharedStore:
    case sass::Pipe::LdMatrix: return Track::Shared;
    case sass::Pipe::Fma:
    case sass::Pipe::Half:
    case sass::Pipe::Tensor: return Track::Arithmetic;
    default: return Track::Issue;
  }
}

}  // namespace

void addMachineCode(Timeline& t, const KernelAccesses& k, const sass::Kernel& sass, const codegen::Source& source,
                    const CompiledCount& c, const Misses& misses, const std::vector<int>& barriers,
                    const CalibratedConstants& f, std::vector<double>& sectors) {
  const Lines lines(t, source, barriers, k);
  for (TimelineAction& a : t.actions) a.demand = {};
  const std::vector<double> missed = missedClocks(sass, c, misses, f);
  std::vector<PassClocks> passes = passClocks(sass, -1, f.latencies, missed);
  for (int l = 0; l < int(sass.loops.size()); ++l) {
    const std::vector<PassClocks> more = passClocks(sass, l, f.latencies, missed);
    for (std::size_t n = 0; n < passes.size(); ++n)
      if (sass.instructions[n].loop == l) passes[n] = more[n];
  }
  auto memory = c.memory.begin();
  int before = t.actions.empty() ? -1 : 0;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    const CompiledAccess* access = nullptr;
    if (memory != c.memory.end() && memory->instruction == int(n)) access = &*memory++;
    const int at = lines.actionOf(i, access);
    if (at >= 0) before = at;
    if (before < 0) continue;
    TimelineAction& a = t.actions[std::size_t(before)];
    const double executions = c.executions[n];
    a.demand += pipeUsageOf(i, executions, access, access ? missShare(*access, misses.l1.sectors) : 0);
    if (access) {
      if (i.pipe == sass::Pipe::GlobalStore) sectors[std::size_t(before)] += access->sectors;
      if (i.pipe == sass::Pipe::GlobalLoad)
        sectors[std::size_t(before)] += missShare(*access, misses.l1.sectors) * access->sectors;
    }
    // As often as one warp passes it: a warp waits alone.
    const PassClocks& p = passes[n];
    if (p.wait <= 0) continue;
    const sass::Pipe cause = p.waitsFor >= 0 ? sass.instructions[std::size_t(p.waitsFor)].pipe : sass::Pipe::Other;
    a.waits[std::size_t(trackOf(cause))] += p.wait * executions;
  }
}

}  // namespace loom::model
