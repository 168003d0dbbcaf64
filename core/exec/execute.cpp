#include "core/exec/execute.h"

#include <fmt/format.h>

#include <cstring>

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
    area.elements = ir::elementLayout(*params[p].buffer)->footprint();
    if (auto found = contents.find(int(p)); found != contents.end()) {
      area.isInput = true;
      area.input = found->second;
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

// All warps of a block, from barrier to barrier.
void runBlock(BlockRun& block, std::vector<Warp>& warps) {
  std::vector<Warp*> alive;
  block.pending.clear();
  if (block.clocks.active()) {
    block.clocks.clear();
    block.slots.clear();
  }
  for (Warp& w : warps) {
    w.start();
    alive.push_back(&w);
  }
  Warp* ended = nullptr;
  while (true) {
    // Those that wait for what others are to do, as long as any of them goes on.
    for (bool moved = true, first = true; moved; first = false) {
      moved = false;
      for (Warp* w : alive) {
        if (!first && w->stand() != Warp::Stand::Wait) continue;
        moved |= w->run();
        if (w->stand() == Warp::Stand::Ended) ended = w;
      }
      if (std::ranges::none_of(alive, [](const Warp* w) { return w->stand() == Warp::Stand::Wait; })) break;
      std::erase_if(alive, [](const Warp* w) { return w->stand() == Warp::Stand::Ended; });
    }
    std::erase_if(alive, [](const Warp* w) { return w->stand() == Warp::Stand::Ended; });
    if (block.clocks.active()) block.clocks.meet(block.clock.epoch);
    block.clock.since = ++block.clock.epoch;
    if (alive.empty()) break;
    const auto waits = std::ranges::find(alive, Warp::Stand::Wait, &Warp::stand);
    if (waits != alive.end()) return reportDeadlock(block, **waits, alive, nullptr);
    // Everyone must wait at one barrier.
    Warp* missing = ended;
    for (Warp* w : alive) {
      if (w->standSite() != alive[0]->standSite()) missing = w;
    }
    // On a device nothing of this block would come after.
    if (missing) return reportDeadlock(block, *alive[0], alive, missing);
  }
}

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
    std::vector<Area> shared(code.areas.size());
    std::vector<std::int64_t> elements;
    for (std::size_t a = 0; a < code.areas.size(); ++a) {
      const CodeArea& info = code.areas[a];
      const ir::VarNode* data = info.buffer->data.get();
      block.restricted.push_back(plan.restricted.count(data) > 0);
      Area* area = nullptr;
      if (info.memory == device::Memory::Global) {
        area = &memory.at(data);
      } else if (info.memory == device::Memory::Shared || info.memory == device::Memory::SharedDynamic) {
        area = &shared[a];
        area->allocate(info.elements);
        area->shared = true;
        area->restricted = block.restricted.back();
        if (code.hasTimelines()) startTimelines(*area, info.buffer->dtype.bytes());
      }
      block.areas.push_back(area);
      elements.push_back(area ? area->elements : 0);
    }
    block.pending = PendingOperations(code.threads(), std::move(elements));
    if (code.hasTimelines()) {
      block.slots = MbarrierSlots(code);
      block.clocks = VectorClocks(code.warps(), block.slots.count());
    }
    std::vector<Warp> warps;
    for (int w = 0; w < code.warps(); ++w) warps.emplace_back(block, w);
    block.warps = warps.data();
    ++epoch;
    block.clock = {epoch, epoch, epoch, epoch};
    auto runOne = [&](std::int64_t n) {
      block.blockIdx = {n % code.grid[0], n / code.grid[0] % code.grid[1], n / code.grid[0] / code.grid[1]};
      block.clock.blockStart = block.clock.since = block.clock.epoch;
      block.blockStarts.emplace_back(block.clock.epoch, block.blockIdx);
      for (Area& a : shared) {
        if (a.stored) std::memset(a.states.data(), 0, std::size_t(a.elements));
        if (a.asyncTouches) std::fill_n(a.asyncTouches.data(), (a.elements + a.piece - 1) / a.piece, AsyncTouch{});
        a.byThreads = false;
      }
      runBlock(block, warps);
      ++block.clock.epoch;
    };
    std::int64_t count =
        part.blocks.empty() ? code.grid[0] * code.grid[1] * code.grid[2] : std::int64_t(part.blocks.size());
    for (std::int64_t i = 0; i < count; ++i) {
      if (stop.stop_requested()) return fail("Cancelled", message("the check was cancelled"), Forbids::Environment);
      runOne(part.blocks.empty() ? i : part.blocks[std::size_t(i)]);
    }
    epoch = block.clock.epoch;
  }
  if (stop.stop_requested()) return fail("Cancelled", message("the check was cancelled"), Forbids::Environment);
  return log.take();
}

}  // namespace loom::exec
