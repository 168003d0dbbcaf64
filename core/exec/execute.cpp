#include "core/exec/execute.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "core/device/lane_values.h"
#include "core/exec/clusters.h"
#include "core/exec/warp.h"
#include "core/ir/element_layout.h"

namespace loom::exec {

namespace {

// Each element of a global buffer costs some 30 bytes here, of which those that are never touched cost nothing.
constexpr std::int64_t kMostElements = std::int64_t(1) << 28;

Result<void> fitsInMemory(const device::Program& program) {
  auto tooLarge = [](const ir::Buffer& b) {
    std::string shape;
    for (const ir::Expr& extent : b->shape)
      shape += fmt::format("{}{}", shape.empty() ? "" : " × ", ir::constantOr(extent, 0));
    return fail(
        "NotExecutable",
        message("{} ({}) has more than the {} elements that are executed on a CPU", b->name, shape, kMostElements),
        Forbids::Environment);
  };
  for (const auto& param : program.params) {
    if (!param.buffer) continue;
    const auto layout = ir::elementLayout(*param.buffer);
    if (!layout || layout->footprint() > kMostElements) return tooLarge(param.buffer);
  }
  for (const auto& t : program.host.temporaries) {
    if (t.elements < 0 || t.elements > kMostElements) return tooLarge(t.buffer);
  }
  return {};
}

}  // namespace

Result<Executable> prepare(const device::Program& program) {
  if (auto fits = fitsInMemory(program); !fits) return Failure(fits.error());
  Executable e;
  e.program = &program;
  for (const device::Kernel& k : program.kernels) {
    auto code = compile(k, program, e.writers);
    if (!code) return Failure(code.error());
    e.codes.push_back(std::move(*code));
  }
  return e;
}

std::vector<Landing> Executable::landings() const {
  for (const Code& code : codes)
    for (const OperationCode& o : code.operations)
      if (o.row->completes) return {Landing::Early, Landing::Late};
  return {Landing::Early};
}

GlobalMemory::GlobalMemory(const Executable& executable, const std::map<int, InputValues>& contents, const Plan& plan) {
  std::set<const ir::VarNode*> written;
  for (const Code& code : executable.codes) {
    for (const CodeArea& a : code.areas) {
      if (a.written) written.insert(a.buffer->data.get());
    }
  }
  const auto& params = executable.program->params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (!params[p].buffer) continue;
    const ir::VarNode* data = params[p].buffer->data.get();
    Area& area = areas_[data];
    const ir::DType type = params[p].buffer->dtype;
    area.elements = ir::elementLayout(*params[p].buffer)->footprint();
    if (ir::isPacked(type)) area.elements = ir::bytesOf(type, area.elements);
    if (auto found = contents.find(int(p)); found != contents.end()) {
      area.isInput = true;
      area.input = found->second;
      if (ir::isPacked(type)) area.input.packed = type;
    }
    if (written.count(data) || !area.isInput) area.allocate(area.elements);
    area.restricted = plan.restricted.count(data) > 0;
  }
  for (const auto& t : executable.program->host.temporaries) {
    Area& area = areas_[t.buffer->data.get()];
    area.allocate(t.elements);
    area.restricted = plan.restricted.count(t.buffer->data.get()) > 0;
  }
}

namespace {

void startTimelines(Area& area, int bytes) {
  area.piece = std::max(1, 16 / bytes);
  area.asyncTouches = ZeroedArray<AsyncTouch>((area.elements + area.piece - 1) / area.piece);
  area.changes = area.claims = AreaTimes(area.elements);
}

void reportDeadlock(BlockRun& block, const Warp& at, const std::vector<Warp*>& alive, const Warp* missing) {
  if (!block.log.isNew(Finding::Kind::Deadlock, block.kernel, at.standSite())) return;
  Finding f = at.finding(Finding::Kind::Deadlock, at.standSite(), 0);
  if (missing) {
    f.threads.push_back(missing->thread(0));
  } else {
    for (const Warp* w : alive) f.waiters.push_back(w->waiter());
  }
  block.log.add(std::move(f));
}

// All warps of a cluster's blocks, from barrier to barrier.
class Run {
 public:
  Run(BlockRun& block, std::vector<Warp>& warps) : block_(block), warps_(warps), ended_(std::size_t(blocks())) {}

  void run() {
    block_.pending.clear();
    block_.reachedMemory.clear();
    block_.reachedSlots.clear();
    if (block_.clocks.active()) {
      block_.clocks.clear();
      block_.slots.clear();
    }
    for (Warp& w : warps_) {
      w.start();
      alive_.push_back(&w);
    }
    std::vector<Warp*> next = alive_;
    while (!next.empty()) {
      goOn(std::move(next));
      next.clear();
      for (int n = 0; n < blocks(); ++n)
        if (!meet(n, next)) return;
      if (next.empty() && !alive_.empty() && std::ranges::all_of(alive_, &Warp::atCluster)) {
        block_.slots.announce();
        block_.reachedMemory.clear();
        if (std::ranges::all_of(alive_, &Warp::exchanges)) {
          // One that only lets warps go on doesn't order what they did to mbarriers (PTX ISA, barrier.cluster.relaxed).
          block_.slots.settle();
          meetAll();
        }
        next = alive_;
      }
    }
    reportMaybeEnded();
    if (alive_.empty()) {
      reportEndedEarly();
      return meetAll();
    }
    const auto waits = std::ranges::find(alive_, Warp::Stand::Wait, &Warp::stand);
    reportDeadlock(block_, waits == alive_.end() ? *alive_.front() : **waits, alive_, nullptr);
  }

 private:
  int blocks() const { return block_.code.blocksOfCluster(); }

  void reportMaybeEnded() {
    const auto report = [&](Finding& f) {
      if (block_.log.isNew(f.kind, block_.kernel, f.site)) block_.log.add(std::move(f));
    };
    std::ranges::for_each(block_.reachedMemory, report);
    for (int n = 0; n < block_.slots.count(); ++n) {
      const std::uint32_t phase = block_.slots.at(n).reached;
      if (phase > 0 && !isAwaited(n, phase)) report(block_.reachedSlots.at(n));
    }
  }
  // Shared memory is given away with the block, perhaps before what was stored from it has been read.
  void reportEndedEarly() {
    if (block_.pending.empty()) return;
    for (const device::TokenRow& row : device::kTokens) {
      if (!row.ofSources) continue;
      block_.pending.eachOf(row.token, [&](const ThreadOperation& o) {
        const auto from = std::size_t(o.code->row->find("from"));
        const std::int64_t site = o.code->operands[from].site;
        if (!block_.log.isNew(Finding::Kind::EndedEarly, block_.kernel, site)) return;
        Finding f = warps_[o.thread / kLanes].finding(Finding::Kind::EndedEarly, site, o.lane);
        f.loops.clear();  // which have ended
        f.element = o.at[from];
        block_.log.add(std::move(f));
      });
    }
  }
  // Whether a warp of the block that has the slot knows, before it ends, that the phase is over.
  bool isAwaited(int slot, std::uint32_t phase) const {
    const int block = block_.slots.blockOf(slot);
    return std::ranges::any_of(warps_, [&](const Warp& w) {
      return w.block() == block && block_.clocks.knows(int(&w - warps_.data()), block_.clocks.phases(slot), phase);
    });
  }

  // Those that wait for what others are to do, as long as any of them goes on.
  void goOn(std::vector<Warp*> ready) {
    for (bool moved = true; moved && !ready.empty();) {
      moved = false;
      for (Warp* w : ready) {
        moved |= w->run();
        if (w->stand() == Warp::Stand::Ended) ended_[std::size_t(w->block())] = w;
      }
      std::erase_if(alive_, [](const Warp* w) { return w->stand() == Warp::Stand::Ended; });
      ready.clear();
      std::ranges::copy_if(alive_, std::back_inserter(ready),
                           [](const Warp* w) { return w->stand() == Warp::Stand::Wait; });
    }
  }

  // Where all warps of a block stand at one barrier of the block, they go on. Returns whether any can: some never come
  // to a barrier at which others stand.
  bool meet(int number, std::vector<Warp*>& next) {
    std::vector<Warp*> own;
    std::ranges::copy_if(alive_, std::back_inserter(own), [&](const Warp* w) { return w->block() == number; });
    if (own.empty() ||
        std::ranges::any_of(own, [](const Warp* w) { return w->stand() == Warp::Stand::Wait || w->atCluster(); }))
      return true;
    const Warp* missing = ended_[std::size_t(number)];
    for (const Warp* w : own)
      if (w->standSite() != own[0]->standSite()) missing = w;
    // On a device nothing of this block would come after.
    if (missing) {
      reportDeadlock(block_, *own[0], own, missing);
      return false;
    }
    if (blocks() == 1) {
      meetAll();
    } else {
      const int warps = block_.code.warps();
      block_.clocks.meet(number * warps, warps, block_.clock.epoch);
      ++block_.clock.epoch;
    }
    next.insert(next.end(), own.begin(), own.end());
    return true;
  }
  void meetAll() {
    if (block_.clocks.active()) block_.clocks.meet(0, int(warps_.size()), block_.clock.epoch);
    block_.clock.since = ++block_.clock.epoch;
  }

  BlockRun& block_;
  std::vector<Warp>& warps_;
  std::vector<Warp*> alive_;
  std::vector<const Warp*> ended_;  // by block: one that has ended; null where none has
};

}  // namespace

Result<std::vector<Finding>> execute(const Executable& executable, const Plan& plan, GlobalMemory& memory,
                                     std::stop_token stop, Landing landing) {
  FindingLog log;
  std::uint32_t epoch = 1;
  for (int launch : executable.program->host.launches) {
    const Code& code = executable.codes.at(std::size_t(launch));
    Plan::Kernel part;
    if (std::size_t(launch) < plan.kernels.size()) part = plan.kernels[std::size_t(launch)];
    part.samples.resize(code.loops.size());
    BlockRun block{code, launch, part.samples, {}, {}, {}, {}, {}, log, &stop, landing};
    std::vector<Area> shared(code.areas.size() * std::size_t(code.blocksOfCluster()));
    std::vector<std::int64_t> elements;
    for (const CodeArea& info : code.areas) block.restricted.push_back(plan.restricted.count(info.buffer->data.get()));
    for (std::size_t n = 0; n < shared.size(); ++n) {
      const CodeArea& info = code.areas[n % code.areas.size()];
      Area* area = nullptr;
      if (info.memory == device::Memory::Global) {
        area = &memory.at(info.buffer->data.get());
      } else if (device::isShared(info.memory)) {
        area = &shared[n];
        area->allocate(info.elements);
        area->shared = true;
        area->restricted = block.restricted[n % code.areas.size()];
        if (code.hasTimelines()) startTimelines(*area, info.buffer->dtype.bytes());
      }
      block.areas.push_back(area);
      elements.push_back(area ? area->elements : 0);
    }
    const int warpsTogether = code.warps() * code.blocksOfCluster();
    block.pending =
        PendingOperations(code.threads() * code.blocksOfCluster(), code.blocksOfCluster(), std::move(elements));
    if (code.hasClocks()) {
      block.slots = MbarrierSlots(code);
      block.clocks = VectorClocks(warpsTogether, block.slots.count());
    }
    std::vector<Warp> warps;
    for (int w = 0; w < warpsTogether; ++w) warps.emplace_back(block, w);
    block.warps = warps.data();
    ++epoch;
    block.clock = {epoch, epoch, epoch, epoch};
    for (const auto& together : clustersOf(code, part.blocks)) {
      if (stop.stop_requested()) return fail("Cancelled", message("the check was cancelled"), Forbids::Environment);
      block.blockIdx.clear();
      for (std::int64_t n : together) block.blockIdx.push_back(device::placeAt(code.grid, n));
      block.clock.blockStart = block.clock.since = block.clock.epoch;
      block.blockStarts.emplace_back(block.clock.epoch, block.blockIdx.front());
      for (Area& a : shared) {
        if (a.stored) std::memset(a.states.data(), 0, std::size_t(a.elements));
        if (a.asyncTouches) {
          std::fill_n(a.asyncTouches.data(), (a.elements + a.piece - 1) / a.piece, AsyncTouch{});
          a.changes.note(0, a.elements);
          a.claims.note(0, a.elements);
        }
        a.byThreads = false;
      }
      Run(block, warps).run();
      ++block.clock.epoch;
    }
    epoch = block.clock.epoch;
  }
  if (stop.stop_requested()) return fail("Cancelled", message("the check was cancelled"), Forbids::Environment);
  return log.take();
}

}  // namespace loom::exec
