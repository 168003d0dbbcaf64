#include "core/model/warpgroup_advice.h"

#include <algorithm>
#include <set>

#include "core/device/operation.h"
#include "core/lower/roles.h"
#include "core/lower/turns.h"
#include "core/model/duration_text.h"
#include "core/model/product_rate.h"
#include "core/model/wave_reads.h"

namespace loom::model {
namespace {

using device::Memory;

constexpr std::int64_t kWarpgroup = 128;  // threads
constexpr int kLargeSums = 128;           // of a thread: 128 × 256 by two warpgroups
// Reasons to tell: a wave in another order reads a third less, of data that half of L2 doesn't hold; tensor cores
// wait a fiftieth of the time between the first product and the last.
constexpr double kReadsMore = 1.5, kOfL2 = 0.5, kWaits = 0.02;
constexpr double kMebi = 1 << 20;
// Of each element of a factor: a product has eight columns at least, a matrix by a vector has one.
constexpr double kLeastFlops = 2 * 8;

bool isGlobal(const Access& a) { return a.memory == Memory::Global; }

bool isByWarpgroups(const Work& w) { return w.product && w.product->row->group == device::Group::Warpgroup; }

// Teraflops of tensor cores for factors of a type, by warpgroups and by warps; nothing where the device's file has
// none.
std::optional<double> peakOf(const Device& d, ir::DType factors, bool warpgroups) {
  using enum Quantity;
  if (factors.bits == 16) return d.value(warpgroups ? WgmmaF16F32Tflops : MmaF16F32Tflops);
  if (factors.bits == 8) return d.value(warpgroups ? WgmmaS8Tops : MmaS8Tops);
  return std::nullopt;
}

// What of a kernel the decisions of the ladder are seen by.
struct Ladder {
  bool byWarpgroups = false, byWarps = false;
  ir::DType factors = ir::DType::Float(32);
  int slots = 1, sums = 0;  // sums: of a thread
  double tiles = 1;         // that a warpgroup multiplies, one after the other
  bool inFlight = false, loads = false, moves = false, turns = false, stages = false, early = false;
  std::int64_t groups = 1;  // warpgroups that multiply
};

double elementsOf(const ir::BufferNode& buffer) {
  double elements = 1;
  for (const ir::Expr& extent : buffer.shape) elements *= double(ir::constantOr(extent, 1));
  return elements;
}

Ladder ladderOf(const KernelModel& m) {
  const device::Kernel& k = *m.accesses.kernel;
  Ladder l;
  for (const Work& w : m.accesses.work) {
    if (!w.product) continue;
    l.byWarpgroups |= isByWarpgroups(w);
    l.byWarps |= !isByWarpgroups(w);
    l.factors = w.product->places[1].buffer->dtype;
  }
  for (const device::Mbarrier& b : k.mbarriers) l.slots = std::max(l.slots, b.slots);
  l.loads = !device::annotatedBlocks(k.body, lower::kRole).empty();
  l.turns = !device::annotatedBlocks(k.body, lower::kTurns).empty();
  l.early = !device::annotatedBlocks(k.body, lower::kEarly).empty();
  l.stages = std::ranges::any_of(m.accesses.accesses, [](const Access& a) {
    return a.agent == device::Agent::CopyEngine && a.write && isGlobal(a);
  });
  device::forEach(k.body, [&](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Sync) return true;
    const auto& sync = *device::as<device::SyncNode>(s);
    l.inFlight |= sync.token == device::Token::Products && sync.does == device::SyncDoes::Wait && sync.allow > 0;
    l.moves |= sync.does == device::SyncDoes::MoreRegisters;
    return true;
  });
  l.groups = k.threads() / kWarpgroup - (l.loads ? 1 : 0);
  for (const device::Allocation& a : k.allocations)
    if (a.fragment)
      l.sums = std::max(l.sums, int(a.elements * a.fragment->tile.elements(a.fragment->operand) / kWarpgroup));
  const double held = double(k.blocks()) * double(std::max<std::int64_t>(1, l.groups)) * kWarpgroup * l.sums;
  for (const Access& a : m.accesses.accesses) {
    if (!a.write || !isGlobal(a) || held <= 0) continue;
    l.tiles = std::max(l.tiles, elementsOf(*a.buffer) / held);
  }
  return l;
}

// Whether the copy engine can bring rows of a buffer: they begin at whole multiples of 16 bytes.
bool hasRowsOfPieces(const ir::BufferNode& buffer) {
  constexpr std::int64_t kPiece = 16 * 8;  // bits
  return !buffer.shape.empty() && ir::constantOr(buffer.shape.back(), kPiece) * buffer.dtype.bits % kPiece == 0;
}

// Whether threads multiply what lies in global memory with elements of 8 or 16 bits into sums of 32, each element often
// enough, so that warpgroups could.
bool multipliesNarrow(const KernelModel& m, ir::DType& factors) {
  std::set<const ir::BufferNode*> sums;
  for (const Access& a : m.accesses.accesses)
    if (a.memory == Memory::Global && a.write) sums.insert(a.buffer.get());
  bool narrow = false, wide = false;
  for (const Access& a : m.accesses.accesses) {
    if (a.memory != Memory::Global) continue;
    const ir::DType t = a.buffer->dtype;
    if (sums.contains(a.buffer.get())) {
      wide |= t.bits != 32;
    } else if (t.bits <= 16) {
      narrow = true, factors = t;
      wide |= !hasRowsOfPieces(*a.buffer) || m.count.flops < kLeastFlops * elementsOf(*a.buffer);
    } else {
      wide = true;
    }
  }
  return narrow && !wide && m.count.flops > 0;
}

struct Next {
  const char* subject;
  Message what;
};

// The order of tiles: what those that are multiplied at a time read.
std::optional<Next> rasterOf(const KernelModel& m, const Device& d, int multiprocessors) {
  const auto l2 = d.value(Quantity::L2Bytes);
  const auto reads = waveReads(m.accesses, multiprocessors);
  if (!reads || !l2 || reads->bytes < kOfL2 * *l2 || reads->bytes < kReadsMore * reads->leastBytes) return std::nullopt;
  return Next{"raster",
              message("{} tiles at a time read {} rows and {} columns of tiles, {:.0f} MiB through an L2 cache "
                      "of {:.0f} MiB: groups of {} rows read {:.0f} MiB",
                      reads->tiles, reads->rows, reads->columns, reads->bytes / kMebi, *l2 / kMebi, reads->bestRows,
                      reads->leastBytes / kMebi)};
}

// Microseconds between the first product and the last one, and those of them in which tensor cores wait.
struct Waiting {
  double all = 0, waits = 0;
};
std::optional<Waiting> waitingOf(const KernelModel& m) {
  if (!m.estimate->roles || m.estimate->megahertz <= 0) return std::nullopt;
  const RoleRun& run = *m.estimate->roles;
  const double all = run.lastProduct - run.firstProduct;
  return Waiting{all / m.estimate->megahertz, std::max(0.0, all - run.use.tensor) / m.estimate->megahertz};
}

std::optional<Next> nextOf(const Ladder& l, const KernelModel& m, const Device& d, double multiprocessors) {
  const double blocks = double(m.accesses.kernel->blocks());
  const auto waiting = waitingOf(m);
  const bool stay = l.tiles > 1;
  if (l.slots < 2)
    return Next{
        "ring",
        message("a tile is loaded and only then multiplied: a ring of slots would load the next ones meanwhile")};
  if ((l.groups == 1 || l.turns) && !l.inFlight)
    return Next{"flight", message("one warpgroup waits for each group of its products: leave one on its way")};
  if (!l.loads) return Next{"loaders", message("those that multiply ask for copies, too: let warps of their own load")};
  if (l.sums < kLargeSums && blocks > multiprocessors)
    return Next{"tile",
                message("a thread has {} sums and there are {:.0f} blocks: a larger tile reads less", l.sums, blocks)};
  if (l.groups > 1 && !l.moves && l.sums >= kLargeSums)
    return Next{"registers", message("those that load have as many registers as those that multiply")};
  if (auto raster = rasterOf(m, d, int(multiprocessors))) return raster;
  if (blocks > multiprocessors)
    return Next{"stays",
                message("{:.0f} blocks begin and end: let blocks stay and take one tile after another", blocks)};
  if (!l.stages)
    return Next{"staged",
                message("threads store two sums of a row at a time: from shared memory the copy engine stores "
                        "whole lines")};
  if (stay && !l.turns && waiting && waiting->waits > kWaits * waiting->all)
    return Next{"turns", message("between the first product and the last one tensor cores wait {}, while sums are "
                                 "stored: of warpgroups that take tiles in turns one stores, another multiplies",
                                 durationText(waiting->waits))};
  if (!stay && !l.early)
    return Next{"early",
                message("the first tiles are asked for when all threads have met: let them be asked for early")};
  return std::nullopt;
}

}  // namespace

std::optional<Advice> warpgroupAdvice(const KernelModel& m, const Device& d) {
  const auto multiprocessors = d.value(Quantity::Multiprocessors);
  if (!hasWarpgroups(d) || !m.estimate || !multiprocessors) return std::nullopt;
  Ladder ladder = ladderOf(m);
  double flops = m.count.tensorFlops;
  if (!ladder.byWarpgroups && !ladder.byWarps) {
    if (!multipliesNarrow(m, ladder.factors)) return std::nullopt;
    flops = m.count.flops;
  }
  const auto peak = peakOf(d, ladder.factors, true);
  if (!peak || flops <= 0) return std::nullopt;
  double tensor = flops / (*peak * 1e6);
  // Of products of warpgroups it is known how long they take at the clock that power leaves them.
  const auto clock = d.value(Quantity::ClockMhz);
  if (ladder.byWarpgroups && clock)
    for (const PipeClocks& p : m.estimate->pipes)
      if (p.pipe == "tensor") tensor = p.clocks / *clock;
  const double all = m.estimate->microseconds - m.estimate->launchMicroseconds;
  Advice advice;
  advice.code = "warpgroups";
  advice.microseconds = std::max(0.0, all - tensor);
  advice.numbers = {{"tensor", tensor},
                    {"blocks", double(m.accesses.kernel->blocks())},
                    {"slots", double(ladder.slots)},
                    {"microseconds", advice.microseconds}};
  if (ladder.byWarpgroups) {
    auto next = nextOf(ladder, m, d, *multiprocessors);
    if (!next) return std::nullopt;
    advice.subject = next->subject;
    advice.message = message("tensor cores need {} of {}: {}", durationText(tensor),
                             durationText(m.estimate->microseconds), std::move(next->what));
    return advice;
  }
  advice.subject = ladder.byWarps ? "warps" : "cores";
  advice.message = message("{} multiply in {} what warpgroups can in {} at the stated rate: TMA and wgmma",
                           ladder.byWarps ? message("single warps") : message("CUDA cores"),
                           durationText(m.estimate->microseconds), durationText(tensor));
  return advice;
}

}  // namespace loom::model
