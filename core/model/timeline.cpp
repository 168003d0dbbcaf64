#include "core/model/timeline.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/ir/visit.h"
#include "core/model/active_clusters.h"
#include "core/model/misses.h"
#include "core/model/timeline_code.h"
#include "core/model/timeline_phases.h"
#include "core/model/timeline_roles.h"

namespace loom::model {
namespace {

using namespace device;

bool holdsBarrier(const Stmt& s) {
  bool found = false;
  forEach(s, [&](const Stmt& x) {
    found |= meetsBlock(effectsOf(x));
    return !found;
  });
  return found;
}

// Loops, phases and actions, without times.
class Builder {
 public:
  explicit Builder(const KernelAccesses& k) : kernel_(k) {
    for (std::size_t i = 0; i < k.loops.size(); ++i) loops_[k.loops[i].statement] = int(i);
    for (std::size_t i = 0; i < k.accesses.size(); ++i) accesses_[k.accesses[i].statement].push_back(int(i));
    for (std::size_t i = 0; i < k.work.size(); ++i) work_[k.work[i].statement].push_back(int(i));
    if (k.barriers.empty()) chooseLoop();
    walk(k.kernel->body);
    close();
    finish();
  }
  Timeline out_;
  std::vector<int> barriers_;  // action of each barrier, in program order

 private:
  // Without barriers: the outermost loop that brings operands from global memory to arithmetic and adds up what it
  // gives: none of the results moves with it. Else the outermost that has all arithmetic in it.
  void chooseLoop() {
    int around = -1;
    for (const Work& w : kernel_.work) {
      const std::vector<int>* written = nullptr;
      const auto here = accesses_.find(w.statement);
      if (here != accesses_.end())
        for (int a : here->second)
          if (kernel_.accesses[std::size_t(a)].write) written = &kernel_.accesses[std::size_t(a)].loops;
      for (int l : w.loops) {
        const LoopInfo& loop = kernel_.loops[std::size_t(l)];
        if (loop.extent <= 1) continue;
        if (around < 0) around = l;
        bool moves = false;
        if (written) {
          for (int a : here->second) {
            const Access& x = kernel_.accesses[std::size_t(a)];
            if (!x.write) continue;
            ir::forEachExpr(x.index, [&](const Expr& e) { moves |= e.get() == loop.var.get(); });
          }
        }
        if (moves) continue;
        stepLoop_ = l;
        return;
      }
    }
    stepLoop_ = around;
  }

  bool isPassed(const StmtNode* s, const Stmt& body) {
    return holdsBarrier(body) || (stepLoop_ >= 0 && loops_.at(s) == stepLoop_) || leadsToStep(s);
  }
  bool leadsToStep(const StmtNode* s) {
    for (int l = stepLoop_; l >= 0; l = kernel_.loops[std::size_t(l)].parent)
      if (l == loops_.at(s) && kernel_.loops[std::size_t(l)].extent > 1) return true;
    return false;
  }

  int add(TimelineItem::Kind kind) {
    TimelineItem item;
    item.kind = kind;
    item.parent = open_.empty() ? -1 : open_.back();
    out_.items.push_back(item);
    return int(out_.items.size()) - 1;
  }
  void push(int item) { open_.push_back(item); }
  void pop() {
    out_.items[std::size_t(open_.back())].end = int(out_.items.size());
    open_.pop_back();
  }
  int loopItem(TimelineItem::Kind kind, const LoopNode* node) {
    const int at = add(kind);
    TimelineItem& item = out_.items[std::size_t(at)];
    item.loop = loops_.at(node);
    const LoopInfo& info = kernel_.loops[std::size_t(item.loop)];
    item.var = info.var;
    item.id = info.id;
    item.extent = info.extent;
    return at;
  }
  void openPhase() {
    if (phase_ >= 0) return;
    phase_ = add(TimelineItem::Kind::Phase);
    out_.items[std::size_t(phase_)].index = int(out_.phases.size());
    TimelinePhase p;
    for (int l : passed_) p.times *= double(kernel_.loops[std::size_t(l)].extent);
    out_.phases.push_back(p);
    push(phase_);
  }
  void close() {
    if (phase_ < 0) return;
    pop();
    phase_ = -1;
  }

  void walk(const Stmt& s) {
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& c : as<SeqNode>(s)->stmts) walk(c);
        return;
      case StmtKind::Block: {
        const auto* n = as<BlockNode>(s);
        const auto outer = std::pair(block_, name_);
        std::tie(block_, name_) = std::pair(n->block, n->name);
        walk(n->body);
        std::tie(block_, name_) = outer;
        return;
      }
      case StmtKind::If:
        if (!accesses_[s.get()].empty()) action(s, TimelineAction::Kind::Load);
        walk(as<IfNode>(s)->yes);
        walk(as<IfNode>(s)->no);
        return;
      case StmtKind::Loop: {
        const auto* n = as<LoopNode>(s);
        if (phase_ < 0 || isPassed(n, n->body)) {
          if (isPassed(n, n->body)) {
            close();
            push(loopItem(TimelineItem::Kind::Loop, n));
            passed_.push_back(loops_.at(n));
            walk(n->body);
            close();
            passed_.pop_back();
            pop();
            return;
          }
          openPhase();
        }
        if (kernel_.loops[std::size_t(loops_.at(n))].extent <= 1) return walk(n->body);
        push(loopItem(TimelineItem::Kind::Inner, n));
        walk(n->body);
        pop();
        return;
      }
      case StmtKind::Store:
      case StmtKind::Operation: return action(s, kindOf(s.get()));
      case StmtKind::Sync:
        if (!meetsBlock(effectsOf(s))) return;  // a wait of one group of threads parts no phases
        action(s, TimelineAction::Kind::Barrier);
        barriers_.push_back(int(out_.actions.size()) - 1);
        // One that opens a phase belongs to it: nothing else would be between two barriers.
        if (out_.actions.size() > 1 && out_.items.back().parent == phase_ && int(out_.items.size()) - 1 == phase_ + 1)
          return;
        return close();
    }
  }

  TimelineAction::Kind kindOf(const StmtNode* s) const {
    using Kind = TimelineAction::Kind;
    if (work_.count(s)) return Kind::Multiply;
    bool fromGlobal = false, toShared = false, toGlobal = false, reads = false;
    if (auto at = accesses_.find(s); at != accesses_.end()) {
      for (int i : at->second) {
        const Access& a = kernel_.accesses[std::size_t(i)];
        reads |= !a.write;
        fromGlobal |= !a.write && a.memory == Memory::Global;
        toShared |= a.write && isShared(a.memory);
        toGlobal |= a.write && a.memory == Memory::Global;
      }
    }
    if (toGlobal) return reads ? Kind::Store : Kind::Start;
    if (fromGlobal && toShared) return Kind::Copy;
    return reads ? Kind::Load : Kind::Start;
  }

  void action(const Stmt& s, TimelineAction::Kind kind) {
    openPhase();
    const int at = add(TimelineItem::Kind::Action);
    out_.items[std::size_t(at)].end = at + 1;
    out_.items[std::size_t(at)].index = int(out_.actions.size());
    TimelineAction a;
    a.kind = kind;
    if (kind != TimelineAction::Kind::Barrier) {
      a.block = block_;
      a.name = name_;
    }
    a.accesses = accesses_[s.get()];
    a.work = work_[s.get()];
    for (int i : a.accesses) {
      const Access& x = kernel_.accesses[std::size_t(i)];
      a.asynchronous |= x.write && x.completes.has_value();
      auto& list = x.write ? a.writes : a.reads;
      if (std::find(list.begin(), list.end(), x.buffer) == list.end()) list.push_back(x.buffer);
    }
    out_.actions.push_back(std::move(a));
  }

  // Loops inside of a phase that hold nothing are dropped by never being closed over; the k step is the innermost loop
  // that is passed.
  void finish() {
    int deepest = -1;
    bool any = false;
    for (int i = 0; i < int(out_.items.size()); ++i) {
      const TimelineItem& item = out_.items[std::size_t(i)];
      if (item.kind != TimelineItem::Kind::Loop) continue;
      bool works = false;
      for (int j = i + 1; j < item.end; ++j) {
        const TimelineItem& x = out_.items[std::size_t(j)];
        works |= x.kind == TimelineItem::Kind::Action &&
                 out_.actions[std::size_t(x.index)].kind == TimelineAction::Kind::Multiply;
      }
      if (works || !any) deepest = i;
      any |= works;
    }
    out_.step = deepest;
  }

  const KernelAccesses& kernel_;
  std::map<const StmtNode*, int> loops_;
  std::map<const StmtNode*, std::vector<int>> accesses_, work_;
  std::vector<int> open_, passed_;
  int phase_ = -1, stepLoop_ = -1;
  ir::Id block_;
  std::string name_;
};

// What the actions do over the whole grid as the program is written; as `estimate` counts.
void asWritten(Timeline& t, const KernelAccesses& k, const KernelCount& c, const L1Misses& l1,
               const std::vector<int>& barriers) {
  for (TimelineAction& a : t.actions) {
    for (int i : a.accesses) {
      const Access& x = k.accesses[std::size_t(i)];
      const AccessCost& cost = c.accesses[std::size_t(i)];
      a.executions = std::max(a.executions, cost.executions);
      if (x.memory == Memory::Global) a.globalBytes += cost.bytes;
      if (isShared(x.memory)) a.sharedBytes += cost.bytes;
      a.demand += pipeUsageOf(x, cost, l1.sectors[std::size_t(i)]);
    }
    for (int i : a.work) {
      const Work& w = k.work[std::size_t(i)];
      const AccessCost& cost = c.work[std::size_t(i)];
      a.executions = std::max(a.executions, cost.executions);
      a.flops += cost.lanes * w.flops + cost.executions * w.tensorFlops;
      a.demand += pipeUsageOf(w, cost);
    }
  }
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    TimelineAction& a = t.actions[std::size_t(barriers[i])];
    a.demand = pipeUsageOf(k.barriers[i], *k.kernel);
    a.executions = a.demand.barriers;
  }
}

// By Unit.
using UnitClocks = std::array<double, 3>;
UnitClocks unitClocks(const PipeUsage& d, const PipeRates& r) {
  return {d.fma * r.fma, d.half * r.half, d.tensor * r.tensor};
}

TrackClocks clocksOf(const PipeUsage& d, const PipeRates& r) {
  TrackClocks c{};
  c[int(Track::Copy)] = d.lines * r.line + d.fills * r.fill;
  c[int(Track::Shared)] = d.wavefronts * r.wavefront + d.requests * r.request;
  const UnitClocks units = unitClocks(d, r);
  c[int(Track::Arithmetic)] = *std::max_element(units.begin(), units.end());
  c[int(Track::Issue)] = d.instructions * r.instruction + d.barriers * r.barrier;
  return c;
}

// Clocks of phases to those of the loops around them and of the whole life.
void addUp(Timeline& t) {
  for (int i = int(t.items.size()) - 1; i >= 0; --i) {
    TimelineItem& item = t.items[std::size_t(i)];
    if (item.kind == TimelineItem::Kind::Phase) item.clocks = t.phases[std::size_t(item.index)].length();
    const bool takes = item.kind == TimelineItem::Kind::Phase || item.kind == TimelineItem::Kind::Loop;
    if (!takes) continue;
    const double all = item.clocks * (item.kind == TimelineItem::Kind::Loop ? double(item.extent) : 1);
    (item.parent >= 0 ? t.items[std::size_t(item.parent)].clocks : t.clocks) += all;
  }
}

}  // namespace

const char* nameOf(Track track) {
  static const char* kNames[] = {"copy", "shared", "arithmetic", "issue"};
  return kNames[int(track)];
}

double TimelinePhase::length() const {
  double all = throughput;
  for (double w : waits) all += w;
  return all;
}

double TimelinePhase::uncovered() const {
  const double ofCopies = exposed[int(Track::Copy)], others = throughput - ofCopies;
  const double beneath = copies.empty() ? 0 : clocks[int(Track::Arithmetic)] - others;
  return std::clamp(ofCopies - beneath, 0.0, ofCopies);
}

Result<Timeline> timelineOf(const KernelAccesses& k, const KernelCount& count, const Result<Occupancy>& occupancy,
                            const Result<Estimate>& e, const Device& device, const sass::Kernel* sass,
                            const codegen::Source* source, const CompiledCount* compiled,
                            const CalibratedConstants& f) {
  if (!e) return Failure(e.error());
  if (!occupancy) return Failure(occupancy.error());
  Builder builder(k);
  Timeline t = std::move(builder.out_);
  const L1Misses& l1 = e->l1;
  asWritten(t, k, count, l1, builder.barriers_);
  const double blocks = double(k.kernel->blocks());
  const double busy = double(activeClusters(device, *occupancy, *k.kernel)->busiest(k.kernel->blocks()));
  t.resident = std::min<double>(occupancy->blocks, busy);
  t.rounds = busy / t.resident;
  t.megahertz = *device.value(Quantity::ClockMhz);
  t.launchMicroseconds = e->launchMicroseconds;
  t.microseconds = e->microseconds;
  t.asCompiled = e->asCompiled && sass && source && compiled;
  std::vector<double> sectors(t.actions.size());  // that go to L2
  if (t.asCompiled) {
    addMachineCode(t, k, *sass, *source, *compiled, {l1, e->missesL2}, builder.barriers_, f, sectors);
  } else {
    for (std::size_t n = 0; n < t.actions.size(); ++n)
      for (int i : t.actions[n].accesses)
        if (k.accesses[std::size_t(i)].memory == Memory::Global)
          sectors[n] += count.accesses[std::size_t(i)].sectors *
                        (k.accesses[std::size_t(i)].write ? 1 : l1.sectors[std::size_t(i)]);
  }

  // Of one block and one pass; in its own clocks first.
  const double warps = t.resident * std::ceil(double(k.kernel->threads()) / layout::kLanes);
  const PipeRates rates = pipeRates(k, device, f, warps);
  const auto counted = [](const PipeClocks& p) { return p.pipe != kColdMemory; };
  double most = 0;
  for (const PipeClocks& p : e->pipes)
    if (counted(p)) most = std::max(most, p.clocks);
  double perSector = 0;
  for (const PipeClocks& p : e->pipes)
    t.bySecondLevel |= (p.pipe == "l2" || p.pipe == "memory") && p.clocks == most && most > 0;
  if (t.bySecondLevel) {
    double all = 0;
    for (double s : sectors) all += s;
    // Clocks of the busiest multiprocessor while all draw from L2 together.
    if (all > 0) perSector = most / all * blocks / busy;
  }
  double waited = 0;
  UnitClocks units{};
  std::vector<double> lines(t.actions.size());  // clocks of memory instructions
  for (const TimelineItem& item : t.items) {
    if (item.kind != TimelineItem::Kind::Phase) continue;
    const double times = t.phases[std::size_t(item.index)].times;
    for (int j = int(&item - t.items.data()) + 1; j < item.end; ++j) {
      if (t.items[std::size_t(j)].kind != TimelineItem::Kind::Action) continue;
      const int n = t.items[std::size_t(j)].index;
      TimelineAction& a = t.actions[std::size_t(n)];
      const double each = 1 / blocks / times;
      a.executions *= each, a.globalBytes *= each, a.sharedBytes *= each, a.flops *= each;
      a.demand = a.demand * each;
      a.clocks = clocksOf(a.demand, rates);
      const UnitClocks here = unitClocks(a.demand, rates);
      for (std::size_t i = 0; i < units.size(); ++i) units[i] += times * here[i];
      lines[std::size_t(n)] = a.clocks[int(Track::Copy)];
      a.clocks[int(Track::Copy)] = std::max(a.clocks[int(Track::Copy)], sectors[std::size_t(n)] * each * perSector);
      for (double& w : a.waits) {
        w *= each;
        waited += times * w;
      }
    }
  }
  const bool byRoles = e->roles && e->megahertz > 0;
  const double own = shareByPhases(t, lines, t.bySecondLevel && !byRoles);
  t.unit = Unit(std::max_element(units.begin(), units.end()) - units.begin());
  // The predicted time, as clocks of one life: what the pipes take, and the rest, which is waiting.
  const double life = (t.microseconds - t.launchMicroseconds) * t.megahertz / t.rounds;
  if (byRoles) {
    shareByRoles(t, *e->roles, t.megahertz / e->megahertz, life);
    addUp(t);
    return t;
  }
  const double throughput = std::min(life, e->throughputClocks / t.rounds);
  const bool waits = t.asCompiled && waited > 0;
  t.stretch = own > 0 ? (waits ? throughput : life) / own : 1;
  const double stretchWaits = waits ? (life - throughput) / waited : 0;
  for (TimelinePhase& p : t.phases) {
    p.throughput *= t.stretch;
    for (double& c : p.clocks) c *= t.stretch;
    for (double& c : p.exposed) c *= t.stretch;
    for (CopyPart& c : p.copies) c.from *= t.stretch, c.clocks *= t.stretch;
    for (double& c : p.waits) c *= stretchWaits;
  }
  for (TimelineAction& a : t.actions) {
    for (double& c : a.clocks) c *= t.stretch;
    for (double& c : a.waits) c *= stretchWaits;
  }
  addUp(t);
  return t;
}

Budget budgetOf(const Timeline& t, int item) {
  Budget b;
  const int from = item < 0 ? 0 : item, to = item < 0 ? int(t.items.size()) : t.items[std::size_t(item)].end;
  double around = 1;  // passes of the loops around and of the one that is asked for
  for (int at = item; at >= 0; at = t.items[std::size_t(at)].parent)
    if (t.items[std::size_t(at)].kind == TimelineItem::Kind::Loop) around *= double(t.items[std::size_t(at)].extent);
  for (int i = from; i < to; ++i) {
    if (t.items[std::size_t(i)].kind != TimelineItem::Kind::Phase) continue;
    const TimelinePhase& p = t.phases[std::size_t(t.items[std::size_t(i)].index)];
    const double times = p.times / around;
    b.clocks += times * p.length();
    for (std::size_t n = 0; n < std::size_t(kTracks); ++n) {
      b.busy[n] += times * p.clocks[n];
      b.exposed[n] += times * p.exposed[n];
      b.waits[n] += times * p.waits[n];
    }
    b.uncovered += times * p.uncovered();
  }
  return b;
}

}  // namespace loom::model
