#include "core/model/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/model/binding.h"
#include "core/model/duration_text.h"
#include "core/model/ownership.h"
#include "core/model/pipe_usage.h"
#include "core/model/pipeline_advice.h"
#include "core/model/warpgroup_advice.h"

namespace loom::model {
namespace {

using device::Memory;

// Of the predicted time, what a piece of advice must cost to be given; one whose cost isn't known is given too.
constexpr double kLeastShare = 0.02;

// Clocks of all multiprocessors' work → microseconds on the busiest one.
double microseconds(double clocks, const KernelModel& m, const Device& d) {
  auto sms = d.value(Quantity::Multiprocessors), clock = d.value(Quantity::ClockMhz);
  if (!sms || !clock) return 0;
  double blocks = double(m.accesses.kernel->blocks());
  return clocks * std::ceil(blocks / *sms) / blocks / *clock;
}

// What an access costs: as compiled where the machine code is known, which may have kept values in registers or taken
// several elements at once; else as written. Nothing executed: the compiler did away with it.
struct Cost {
  double executions = 0, lines = 0, sectors = 0, conflicts = 0,
         bytes = 0;  // bytes: that the lanes of an execution ask for
  double wavefronts = 0;
};
Cost costOf(const KernelModel& m, std::size_t access) {
  Cost cost;
  if (!m.compiled) {
    const AccessCost& c = m.count.accesses[access];
    return {c.requests, c.lines, c.sectors, c.conflicts, c.requests > 0 ? c.bytes / c.requests : 0, c.wavefronts};
  }
  for (const CompiledAccess& c : m.compiled->memory) {
    if (std::find(c.accesses.begin(), c.accesses.end(), int(access)) == c.accesses.end()) continue;
    const double share = 1.0 / double(c.accesses.size());
    cost.executions += c.executions * share;
    cost.lines += c.lines * share;
    cost.sectors += c.sectors * share;
    cost.conflicts += c.conflicts * share;
    cost.wavefronts += c.wavefronts * share;
    cost.bytes += c.bytes * c.lanes * share;
  }
  if (cost.executions > 0) cost.bytes /= cost.executions;
  return cost;
}

// Conflicts of one shared buffer's loads or stores.
void conflicts(const KernelModel& m, const Device& d, const CalibratedConstants& f, std::vector<Advice>& out) {
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i) {
    const Access& a = m.accesses.accesses[i];
    const AccessCost& c = m.count.accesses[i];
    const Cost cost = costOf(m, i);
    if (c.conflicts <= 0 || cost.conflicts <= 0) continue;
    Advice advice;
    advice.code = "bank_conflicts";
    advice.subject = a.buffer->name;
    advice.block = a.blockName;
    advice.access = int(i);
    advice.microseconds = microseconds(cost.conflicts * f.clocksPerWavefront, m, d);
    advice.numbers = {{"ways", double(c.most)},
                      {"conflicts", cost.conflicts},
                      {"write", a.write ? 1.0 : 0.0},
                      {"microseconds", advice.microseconds}};
    advice.message = a.write ? message("{}-way bank conflicts where {} is written cost about {}", c.most,
                                       a.buffer->name, durationText(advice.microseconds))
                             : message("{}-way bank conflicts where {} is read cost about {}", c.most, a.buffer->name,
                                       durationText(advice.microseconds));
    if (const auto padding = paddingOf(m.accesses, a)) advice.step = padding->step;
    out.push_back(std::move(advice));
  }
}

// Global requests that touch several times the sectors that their bytes need.
void scattered(const KernelModel& m, const Device& d, const CalibratedConstants& f, std::vector<Advice>& out) {
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i) {
    const Access& a = m.accesses.accesses[i];
    const Cost cost = costOf(m, i);
    if (a.memory != Memory::Global || cost.sectors <= 0 || cost.executions <= 0) continue;
    const double mean = cost.sectors / cost.executions;
    const double needed = std::max(1.0, cost.bytes / layout::kSectorBytes);
    if (mean < 4 * needed) continue;
    Advice advice;
    advice.code = "scattered_access";
    advice.subject = a.buffer->name;
    advice.block = a.blockName;
    advice.access = int(i);
    advice.microseconds = microseconds((cost.lines - cost.executions) * f.clocksPerLine, m, d);
    const bool copies =
        !a.write && std::any_of(m.accesses.accesses.begin(), m.accesses.accesses.end(), [&](const Access& other) {
          return other.statement == a.statement && other.write && isShared(other.memory);
        });
    advice.numbers = {{"sectors", mean},
                      {"needed", needed},
                      {"copy", copies ? 1.0 : 0.0},  // to shared memory
                      {"microseconds", advice.microseconds}};
    advice.message =
        a.write ? message(
                      "a warp's store of {} touches {:.1f} sectors where {:.1f} would do: neighbouring lanes are far "
                      "apart",
                      a.buffer->name, mean, needed)
                : message(
                      "a warp's load of {} touches {:.1f} sectors where {:.1f} would do: neighbouring lanes are far "
                      "apart",
                      a.buffer->name, mean, needed);
    out.push_back(std::move(advice));
  }
}

// What full warps would save where so many of 32 lanes do the work of `share` of all instructions: they would be fewer
// by that factor. 0 where the time goes to a pipe that counts bytes instead.
double emptyLanes(const KernelModel& m, double share, double lanes) {
  if (!m.estimate || m.estimate->pipes.empty()) return 0;
  const std::string& pipe = m.estimate->pipes[std::size_t(m.estimate->busiest)].pipe;
  if (pipe == "l2" || pipe == "memory" || pipe == "tensor") return 0;
  return (m.estimate->microseconds - m.estimate->launchMicroseconds) * share * (1 - lanes / 32);
}

// A kernel without threads, or with less than a warp of them. Whether there is more to say of lanes and blocks.
bool threads(const KernelModel& m, std::vector<Advice>& out) {
  const device::Kernel& k = *m.accesses.kernel;
  Advice advice;
  advice.numbers = {{"threads", double(k.threads())}};
  if (k.threads() == 1 && k.blocks() == 1) {
    advice.code = "one_thread";
    advice.message = message("one GPU thread does everything: no loop is bound to blocks or threads");
    if (m.estimate) advice.microseconds = m.estimate->microseconds;
  } else if (k.threads() < 32) {
    advice.code = "small_block";
    advice.message = message("{} threads a block leave {} of a warp's 32 lanes empty", k.threads(), 32 - k.threads());
    advice.microseconds = emptyLanes(m, 1, double(k.threads()));
  } else {
    return true;
  }
  advice.numbers["microseconds"] = advice.microseconds;
  const bool one = advice.code == "one_thread";
  out.push_back(std::move(advice));
  return !one;
}

// The axis of threads (0: x) that lowering had to choose one of, because nothing around the statement is bound to it;
// -1: there is none.
int uncoveredAxis(const device::Kernel& kernel, const std::vector<Guard>& guards) {
  for (const Guard& g : guards) {
    const device::Axes axes = standsFor(kernel, g);
    for (int axis = 0; axis < 3; ++axis) {
      if (axes.bits >> axis & 1) return axis;
    }
  }
  return -1;
}

// Arithmetic that a few lanes of each warp do for all.
void idle(const KernelModel& m, std::vector<Advice>& out) {
  std::map<std::string, double> issued;  // by block
  double all = 0;
  auto add = [&](const std::string& block, const PipeUsage& demand) {
    issued[block] += demand.instructions;
    all += demand.instructions;
  };
  for (std::size_t i = 0; i < m.accesses.work.size(); ++i)
    add(m.accesses.work[i].blockName, pipeUsageOf(m.accesses.work[i], m.count.work[i]));
  for (std::size_t i = 0; i < m.accesses.accesses.size(); ++i)
    add(m.accesses.accesses[i].blockName, pipeUsageOf(m.accesses.accesses[i], m.count.accesses[i]));
  for (std::size_t i = 0; i < m.accesses.work.size(); ++i) {
    const Work& w = m.accesses.work[i];
    const AccessCost& c = m.count.work[i];
    if (w.flops <= 0 || c.executions <= 0 || m.accesses.kernel->threads() < 32) continue;
    double lanes = c.lanes / c.executions;
    if (lanes > 16) continue;
    Advice advice;
    advice.code = "idle_lanes";
    advice.subject = advice.block = w.blockName;
    const int axis = uncoveredAxis(*m.accesses.kernel, w.guards);
    advice.microseconds = all > 0 ? emptyLanes(m, issued[w.blockName] / all, lanes) : 0;
    advice.numbers = {{"lanes", lanes}, {"axis", axis}, {"microseconds", advice.microseconds}};
    const Message block = w.blockName.empty() ? message("the kernel") : verbatim(w.blockName);
    advice.message = axis < 0 ? message("{:.0f} of 32 lanes work in {}: a condition keeps the others out", lanes, block)
                              : message("{:.0f} of 32 lanes work in {}: no loop around it is bound to threadIdx.{}",
                                        lanes, block, "xyz"[axis]);
    out.push_back(std::move(advice));
  }
}

// How many threads of a block write the same elements in the same order: of each axis of threads on which the index
// doesn't depend, all, unless lowering lets the first stand for them.
std::int64_t writersAlike(const KernelAccesses& k, const Access& a) {
  // What is local is each one's.
  if (!a.write || !device::isVisible(a.memory) || a.tile) return 1;
  const auto index = separate(k, a);
  if (!index) return 1;
  unsigned first = 0;  // axes whose first thread alone does it
  for (const Guard& guard : a.guards) {
    const device::Axes axes = standsFor(*k.kernel, guard);
    if (axes.none()) return 1;  // a condition of the program's own
    first |= axes.bits;
  }
  std::int64_t alike = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const bool moves = std::any_of(index->parts.begin(), index->parts.end(),
                                   [&](const Part& p) { return p.axis == Axis::Thread && p.number == axis; });
    if (!moves && (first >> axis & 1) == 0) alike *= k.kernel->block[std::size_t(axis)];
  }
  return alike;
}

// Blocks whose work every thread does for itself, though the result is one for all.
void repeated(const KernelModel& m, const Device& d, const CalibratedConstants& f, std::vector<Advice>& out) {
  const auto& all = m.accesses.accesses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t times = writersAlike(m.accesses, all[i]);
    if (times <= 1) continue;
    double clocks = 0;  // of the statement: what it reads, and what it writes
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (all[j].statement != all[i].statement) continue;
      const Cost cost = costOf(m, j);
      clocks += f.clocksPerLine * cost.lines + f.clocksPerWavefront * cost.wavefronts +
                (cost.wavefronts > 0 ? f.clocksPerSharedRequest * cost.executions : 0);
    }
    Advice advice;
    advice.code = "repeated_work";
    advice.subject = advice.block = all[i].blockName;
    advice.access = int(i);
    advice.microseconds = microseconds(clocks, m, d) * (1 - 1 / double(times));
    advice.numbers = {{"threads", double(times)}, {"microseconds", advice.microseconds}};
    advice.message =
        message("{} threads of a block all do the work of {}: bind its loops to threads", times, all[i].blockName);
    out.push_back(std::move(advice));
  }
}

// Whether a kernel hides latency without other warps: copies into slots of a ring are under way while other slots are
// multiplied, and warps wait only at the mbarriers of their own slot. Few warps are then by design.
bool hasRing(const device::Kernel& kernel) {
  return std::ranges::any_of(kernel.mbarriers, [](const device::Mbarrier& b) { return b.slots > 1; });
}

void busiest(const KernelModel& m, std::vector<Advice>& out) {
  const auto binding = bindingOf(m);
  if (!binding) return;
  Advice advice;
  advice.code = "busiest";
  advice.subject = binding->subject;
  advice.message = binding->sentence;
  advice.microseconds = binding->microseconds;
  advice.numbers = {{"microseconds", binding->microseconds},
                    {"percent", binding->percent},
                    {"roles", m.estimate && m.estimate->roles ? 1.0 : 0.0},
                    {"ring", hasRing(*m.accesses.kernel) ? 1.0 : 0.0}};
  out.push_back(std::move(advice));
}

void fewBlocks(const KernelModel& m, const Device& d, std::vector<Advice>& out) {
  if (!m.waves || m.waves->full > 0 || m.waves->busyMultiprocessors <= 0 || m.waves->busyMultiprocessors > 0.9) return;
  Advice advice;
  advice.code = "few_blocks";
  advice.numbers = {{"blocks", double(m.waves->blocks)}, {"multiprocessors", *d.value(Quantity::Multiprocessors)}};
  advice.message =
      message("{} blocks leave {:.0f} of {:.0f} multiprocessors idle: smaller tiles make more blocks", m.waves->blocks,
              *d.value(Quantity::Multiprocessors) - double(m.waves->blocks), *d.value(Quantity::Multiprocessors));
  if (m.estimate) advice.microseconds = m.estimate->microseconds * (1 - m.waves->busyMultiprocessors);
  advice.numbers["microseconds"] = advice.microseconds;
  out.push_back(std::move(advice));
}

// Whole waves, and then one that leaves most of the multiprocessors' places empty.
void lastWave(const KernelModel& m, std::vector<Advice>& out) {
  constexpr double kWell = 0.9;
  if (!m.waves || m.waves->full < 1 || m.waves->last == 0 || m.waves->efficiency > kWell) return;
  Advice advice;
  advice.code = "last_wave";
  advice.numbers = {
      {"blocks", double(m.waves->blocks)}, {"last", double(m.waves->last)}, {"slots", double(m.waves->slots)}};
  const ActiveClusters& clusters = m.waves->clusters;
  advice.message = clusters.wavesWithout(m.waves->blocks) < m.waves->count()
                       ? message(
                             "clusters of {} blocks leave {} of {} places empty: {} blocks take {} waves where {} "
                             "would do without",
                             clusters.size, clusters.places() - clusters.blocks(), clusters.places(), m.waves->blocks,
                             m.waves->count(), clusters.wavesWithout(m.waves->blocks))
                       : message("the last wave has {} blocks where {} run at once: other factors fill whole waves",
                                 m.waves->last, m.waves->slots);
  if (m.estimate)
    advice.microseconds = (m.estimate->microseconds - m.estimate->launchMicroseconds) * (1 - m.waves->efficiency);
  advice.numbers["microseconds"] = advice.microseconds;
  out.push_back(std::move(advice));
}

// Whether more warps could help against what binds: they hide latency, but make no unit faster.
bool waitsBind(const KernelModel& m) {
  const auto binding = bindingOf(m);
  if (!binding) return true;  // nothing is known of what binds
  // Of kernels with roles, the other subjects are units that are busy.
  if (m.estimate && m.estimate->roles) return binding->subject == "waits";
  return binding->subject == "waits" || binding->subject == nameOf(Track::Copy) ||
         binding->subject == nameOf(Track::Shared);
}

// Fewer warps than half of what a multiprocessor can hold, though the grid has blocks for more, where latency is not
// hidden otherwise. What that costs isn't known: other warps may hide all there is to hide.
void fewWarps(const KernelModel& m, std::vector<Advice>& out) {
  if (!m.occupancy || !m.waves || m.waves->full < 1 || m.occupancy->fraction() >= 0.5) return;
  if (hasRing(*m.accesses.kernel) || !waitsBind(m)) return;
  const bool registers = m.occupancy->limiter == Limiter::Registers;
  if (!registers && m.occupancy->limiter != Limiter::Shared) return;
  Advice advice;
  advice.code = "few_warps";
  advice.subject = registers ? "registers" : "shared";
  advice.numbers = {{"warps", double(m.occupancy->warps)},
                    {"most", double(m.occupancy->maxWarps)},
                    {"roles", m.estimate && m.estimate->roles ? 1.0 : 0.0},  // a ring of slots would do instead
                    {"microseconds", 0}};
  advice.message =
      message("{} let {} of {} warps live on a multiprocessor: a smaller tile of a thread, or of a block",
              registers ? message("registers") : message("shared memory"), m.occupancy->warps, m.occupancy->maxWarps);
  out.push_back(std::move(advice));
}

}  // namespace

Access padded(const Access& access, const RowPadding& padding) {
  Access moved = access;
  auto constant = [&](std::int64_t value) { return ir::intImm(value, access.index->dtype); };
  moved.index = ir::floordiv(access.index, constant(padding.pitch)) * padding.padded +
                ir::floormod(access.index, constant(padding.pitch));
  if (moved.tile) moved.tile->leading = constant(padding.padded);
  return moved;
}

namespace {

constexpr std::int64_t kTileAlignment = 16;  // bytes: rows of what load_matrix_sync reads (CUDA C++ Programming Guide)

// Of the grid's first warp, at the first iteration of all loops; nothing where its addresses can't be evaluated.
std::optional<int> waysOf(const KernelAccesses& k, const Access& access) {
  device::WarpState state;
  state.place(*k.kernel, 0, 0);
  for (const auto& loop : k.loops) state.set(loop.var.get(), 0);
  bool known = true;
  const auto requests = requestsOf(access, state, activeLanes(access.guards, state, known));
  if (!requests || requests->empty()) return std::nullopt;
  int most = 0;
  for (const WarpRequest& r : *requests)
    most =
        std::max(most, layout::costOf(r.ldmatrix ? layout::ldmatrixPhases(r.request) : layout::phases(r.request)).ways);
  return most;
}

// The name of the block that writes the buffer, which may be called otherwise.
const std::string& writerOf(const KernelAccesses& k, const ir::Buffer& buffer) {
  const auto writer = std::ranges::find_if(k.accesses, [&](const Access& a) { return a.write && a.buffer == buffer; });
  return writer != k.accesses.end() && !writer->blockName.empty() ? writer->blockName : buffer->name;
}

}  // namespace

std::optional<RowPadding> paddingOf(const KernelAccesses& k, const Access& access) {
  for (const device::Allocation& s : k.kernel->allocations) {
    const std::vector<std::int64_t> extents = s.extents(), strides = s.strides();
    if (s.buffer != access.buffer || extents.size() < 2) continue;
    const std::int64_t row = strides.size() == extents.size() ? strides[strides.size() - 2] : extents.back();
    const bool isPadded = row != extents.back();
    if (isPadded || !std::has_single_bit(std::uint64_t(row))) continue;
    // Rows that keep the alignment of the widest accesses come first: less must gain something.
    std::int64_t widest = access.bytes;
    for (const Access& a : k.accesses)
      if (a.buffer == access.buffer)
        widest = std::max(widest, a.tile ? kTileAlignment : std::int64_t(a.elements) * a.bytes);
    std::optional<RowPadding> best;
    std::optional<int> least;
    for (const std::int64_t bytes : {16, 8, 4, 2, 1}) {
      if (best && bytes < widest) break;
      const std::int64_t offset = std::max<std::int64_t>(1, bytes / access.bytes);
      // The least factor that moves every row: a row is a multiple of it, so that its pitch becomes row + offset.
      const std::int64_t factor = 2 * offset;
      if (row < factor) continue;
      RowPadding padding{row, row + offset,
                         fmt::format("sch.storage_align(block=\"{}\", buffer_index=0, axis=-2, factor={}, offset={})",
                                     writerOf(k, access.buffer), factor, offset)};
      const auto ways = waysOf(k, padded(access, padding));
      if (best && !(ways && least && *ways < *least)) continue;
      best = std::move(padding);
      least = ways;
    }
    return best;
  }
  return std::nullopt;
}

std::vector<Advice> adviceOn(const KernelModel& m, const Device& d, const CalibratedConstants& f) {
  std::vector<Advice> out;
  if (m.accesses.kernel->draft) return out;  // of what never runs no time can be saved
  conflicts(m, d, f, out);
  scattered(m, d, f, out);
  if (threads(m, out)) {
    idle(m, out);
    repeated(m, d, f, out);
    fewBlocks(m, d, out);
    lastWave(m, out);
    fewWarps(m, out);
    if (auto advice = pipelineAdvice(m, d)) out.push_back(std::move(*advice));
  }
  if (m.estimate) {
    const double least = kLeastShare * m.estimate->microseconds;
    for (Advice& a : out)
      if (a.code == "pipeline" && a.microseconds < least) a.microseconds = 0;
    std::erase_if(out, [&](const Advice& a) { return a.microseconds > 0 && a.microseconds < least; });
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Advice& a, const Advice& b) { return a.microseconds > b.microseconds; });
  // Another way for the whole kernel, not a cost of this one's: behind what can be bettered here, and before what may
  // cost nothing.
  const auto unknown = std::ranges::find_if(out, [](const Advice& a) { return a.microseconds <= 0; });
  if (auto advice = warpgroupAdvice(m, d)) out.insert(unknown, std::move(*advice));
  busiest(m, out);
  for (Advice& a : out)
    if (m.estimate) a.numbers["predicted"] = m.estimate->microseconds;
  return out;
}

}  // namespace loom::model
