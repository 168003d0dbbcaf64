#include "core/lower/shared_accesses.h"

#include <algorithm>
#include <iterator>

#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/packed.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/cluster_slices.h"
#include "core/lower/execution_group.h"

namespace loom::lower {

using namespace device;

namespace {

// The number of an element in one version of a buffer; of a vector, of its first.
Expr offsetIn(const BufferPlace& place, const std::vector<std::int64_t>& extents) {
  const auto firstOf = [](const Expr& index) {
    return index->kind == ir::ExprKind::Ramp ? ir::as<ir::RampNode>(index)->base : index;
  };
  if (place.byOffset) return firstOf(place.at.back());
  Expr offset = ir::intImm(0);
  for (std::size_t d = 0; d < place.at.size(); ++d)
    offset = offset * ir::intImm(extents[d]) + ir::cast(DType::Int(32), firstOf(place.at[d]));
  return offset;
}

// Whether it is a box that a lane of each warp asks for.
bool isBoxOfWarp(const MemoryEffect& effect, Axes uncovered) {
  return effect.tile && (uncovered.bits & Axes::kFurtherLanes) != 0;
}
// Whether it is a warpgroup's sum, of which each warp has 16 rows.
bool isSum(const MemoryEffect& effect, Group group) {
  return effect.tile && effect.tile->operand == Operand::Accumulator && group == Group::Warpgroup;
}

}  // namespace

SharedAccesses::SharedAccesses(const Kernel& kernel, const std::vector<ir::Symbol>& symbols)
    : kernel_(kernel), addresses_(kernel, symbols) {
  addresses_.enter(warpNumber(), ir::Range{ir::intImm(0), ir::intImm(kWarpsOfWarpgroup)});
  addresses_.enter(lane_, ir::Range{ir::intImm(0), ir::intImm(kWarpLanes)});
  for (const Allocation& a : kernel.allocations) {
    if (isShared(a.memory)) visible_.insert(a.buffer.get());
    versions_[a.buffer.get()] = a.versions.size();
    allocations_[a.buffer.get()] = &a;
  }
  if (kernel.block[0] == kWarpgroupThreads) {
    forEach(kernel.body, [&](const Stmt& s) {
      const Effects effects = effectsOf(s);
      for (const MemoryEffect& effect : effects.memory)
        warpsHaveTiles_ |= isBoxOfWarp(effect, s->uncovered) || isSum(effect, effects.group);
      return !warpsHaveTiles_;
    });
  }
  // Global memory needs a barrier only where this kernel both writes and reads it.
  const BufferUses uses = usesOf(kernel.body);
  const std::set<const ir::BufferNode*> read(uses.read.begin(), uses.read.end());
  for (const ir::BufferNode* b : uses.written) {
    if (memoryOf(b->scope) == Memory::Global && read.count(b)) visible_.insert(b);
  }
}

const std::vector<SharedAccess>& SharedAccesses::of(const Stmt& s) {
  std::vector<Found>& found = found_[s];
  for (const Found& f : found)
    if (f.guard == guard_ && f.loops == loops_) return f.accesses;
  return found.emplace_back(Found{loops_, guard_, find(s)}).accesses;
}

std::vector<SharedAccess> SharedAccesses::find(const Stmt& s) {
  std::vector<SharedAccess> out;
  const Effects effects = effectsOf(s);
  // What everybody waits for by itself needs no further meeting.
  const bool everybody =
      std::ranges::any_of(effects.awaits, [](Token token) { return rowOf(token).forAll && !rowOf(token).byArrival; });
  const auto sources = std::ranges::find_if(effects.awaits, [](Token token) { return rowOf(token).ofSources; });
  for (const Landed& landed : effects.landed) {
    if (everybody) break;
    if (sources != effects.awaits.end()) {
      std::ranges::move(readsBy(s, landed, *sources), std::back_inserter(out));
      continue;
    }
    AccessSite site;
    site.stmt = s.get();
    site.origin = landed.by;
    site.loops = loops_;
    SharedAccess a;
    a.buffer = landed.buffer.get();
    a.write = a.landed = true;
    a.versions = landed.versions;
    a.site = std::make_shared<const AccessSite>(std::move(site));
    a.allocation = allocationOf(a.buffer);
    out.push_back(std::move(a));
  }
  for (const MemoryEffect& effect : effects.memory) {
    if (!visible_.count(effect.place.buffer.get())) continue;
    AccessSite site = siteOf(*s);
    if (!effect.tile) locate(site, effect.place);
    locateTile(site, effect, effects, s->uncovered);
    locateOfWarp(site, effect, effects.group, s->uncovered);
    SharedAccess a;
    a.buffer = effect.place.buffer.get();
    a.allocation = allocationOf(a.buffer);
    a.write = effect.writes();
    a.repeatable = effect.repeatable;
    a.byCopyEngine = effect.agent == Agent::CopyEngine;
    a.byTensorCores = effect.agent == Agent::TensorCore;
    a.ofOthers = effect.inBlock && !isOwnSlice(kernel_, effect.inBlock);
    if (const auto versions = versions_.find(a.buffer); versions != versions_.end())
      a.versions.assign(effect.place.at.begin(), effect.place.at.begin() + std::ptrdiff_t(versions->second));
    a.site = std::make_shared<const AccessSite>(std::move(site));
    out.push_back(std::move(a));
  }
  return out;
}

const Allocation* SharedAccesses::allocationOf(const ir::BufferNode* b) const {
  const auto found = allocations_.find(b);
  return found == allocations_.end() ? nullptr : found->second;
}

AccessSite SharedAccesses::siteOf(const StmtNode& s) const {
  AccessSite site;
  site.stmt = &s;
  site.origin = s.origin;
  site.uncovered = Axes{static_cast<std::uint8_t>(s.uncovered.bits & 0b111)};
  site.loops = loops_;
  site.guard = guard_;
  return site;
}

// What was stored has been read, by the threads that asked for it, once they have waited: what each store reads is an
// access of its own, since warps may have parts of their own in one store and not in another.
std::vector<SharedAccess> SharedAccesses::readsBy(const Stmt& wait, const Landed& landed, Token token) {
  std::vector<SharedAccess> reads;
  forEach(kernel_.body, [&](const Stmt& s) {
    const Effects effects = effectsOf(s);
    if (std::ranges::count(effects.signals, token) == 0) return true;
    for (const MemoryEffect& effect : effects.memory) {
      if (effect.place.buffer != landed.buffer) continue;
      AccessSite site = siteOf(*wait);
      locateOfWarp(site, effect, effects.group, s->uncovered);
      SharedAccess a;
      a.buffer = landed.buffer.get();
      a.versions = landed.versions;
      a.landed = true;
      a.site = std::make_shared<const AccessSite>(std::move(site));
      reads.push_back(std::move(a));
    }
    return true;
  });
  return reads;
}

// Warps have parts of their own in what a warpgroup writes of its sum, 16 rows each, in boxes that a lane of each asks
// for, and in what its lanes access one by one.
void SharedAccesses::locateOfWarp(AccessSite& site, const MemoryEffect& effect, Group group, Axes uncovered) {
  if (!warpsHaveTiles_) return;
  const bool ofSum = isSum(effect, group);
  const bool ofLanes = !effect.tile && site.index && group == Group::Thread && uncovered.bits == 0;
  if (!ofLanes && !ofSum && !isBoxOfWarp(effect, uncovered)) return;
  const auto allocation = std::ranges::find(kernel_.allocations, effect.place.buffer, &Allocation::buffer);
  if (allocation == kernel_.allocations.end()) return;
  const std::vector<std::int64_t> extents = allocation->extents();
  const std::int64_t pitch = extents.empty() ? 1 : extents.back();
  BufferPlace place = effect.place;
  site.ofGroup = !allocation->versions.empty() && place.at.front() == Expr(kernel_.threadIdx[1]);
  place.at.erase(place.at.begin(), place.at.begin() + std::ptrdiff_t(allocation->versions.size()));
  if (ofLanes) return locateOfLanes(site, place, extents);
  const Expr offset = offsetIn(place, extents), warp = warpNumber();
  std::int64_t rows = effect.tile->rows;
  if (ofSum) {
    rows /= kWarpsOfWarpgroup;
    site.ofWarp = offset + ir::cast(offset->dtype, warp) * ir::intImm(rows * pitch, offset->dtype);
  } else {
    site.ofWarp = ir::substitute(offset, {{kernel_.threadIdx[0].get(), warp * ir::intImm(kWarpLanes)}});
  }
  site.ofWarp = addresses_.analyzer().simplify(site.ofWarp);
  site.reach = (rows - 1) * pitch + effect.tile->columns;
}

// Elements of a warp's lanes lie from the first lane's on, where no lane's lie before them.
void SharedAccesses::locateOfLanes(AccessSite& site, const BufferPlace& place,
                                   const std::vector<std::int64_t>& extents) {
  const Expr offset = offsetIn(place, extents);
  arith::Analyzer& analyzer = addresses_.analyzer();
  const Expr first = warpNumber() * ir::intImm(kWarpLanes);
  const auto at = [&](const Expr& thread) {
    return analyzer.simplify(ir::substitute(offset, {{kernel_.threadIdx[0].get(), thread}}));
  };
  const Expr ofWarp = at(first);
  const arith::ConstIntBound further = analyzer.constIntBound(analyzer.simplify(at(first + Expr(lane_)) - ofWarp));
  if (further.min < 0 || further.max == arith::kPosInf) return;
  site.ofLanes = true;
  site.ofWarp = ofWarp;
  site.reach = further.max + site.lanes;
}

// Of single elements the coordinates, too: they tell threads apart where a flat index alone doesn't. A vector has none,
// and an index that is loaded itself tells nothing.
void SharedAccesses::locate(AccessSite& site, const BufferPlace& place) {
  site.index = addresses_.offset(place);
  if (site.index->kind == ir::ExprKind::Ramp) {
    const auto& r = *ir::as<ir::RampNode>(site.index);
    site.lanes = r.dtype.lanes * std::max<std::int64_t>(1, ir::constantOr(r.stride, 1));
    site.index = r.base;
    return;
  }
  if (place.at.size() < 2) return;
  if (std::ranges::none_of(place.at, ir::readsMemory)) site.coordinates = place.at;
}

// Where all elements of a tile lie that a warp writes: its lanes lie along threadIdx.x, so that the other axes, and the
// element's line and column, tell each element. Tiles that are only read meet what threads write, one by one.
void SharedAccesses::locateTile(AccessSite& site, const MemoryEffect& effect, const Effects& effects, Axes uncovered) {
  if (!effect.tile || !effect.writes() || effects.group != Group::Warp || effect.agent != Agent::Threads) return;
  if (effect.completes || effect.place.isBox() || ir::isPacked(effect.place.buffer->dtype)) return;
  const bool oneWarp = kernel_.block[0] == kWarpLanes || (uncovered.bits & Axes::kFurtherWarps) != 0;
  if (!oneWarp || (uncovered.bits & Axes::kFurtherLanes) != 0) return;
  const auto* leading = effect.tile->leading ? ir::asInt(effect.tile->leading) : nullptr;
  if (!leading) return;
  const Expr first = addresses_.offset(effect.place);
  const auto ofLanes = [&](const ir::VarNode* v) { return v == kernel_.threadIdx[0].get(); };
  if (first->dtype.lanes > 1 || first->dtype.bits > line_->dtype.bits || ir::usesVar(first, ofLanes)) return;
  site.index = first + Expr(line_) * ir::intImm(leading->value) + Expr(column_);
  site.loops.emplace_back(line_, ir::intImm(effect.tile->rows));
  site.loops.emplace_back(column_, ir::intImm(effect.tile->columns));
  site.uncovered.bits |= 0b001;
  site.ofTile = effects.row;
}

void SharedAccesses::enter(const LoopNode& loop) {
  loops_.emplace_back(loop.var, loop.extent);
  addresses_.enter(loop);
}
void SharedAccesses::leave(const LoopNode&) { loops_.pop_back(); }

Expr SharedAccesses::enterBranch(const Expr& condition) {
  Expr around = guard_;
  guard_ = around ? ir::andOf(around, condition) : condition;
  return around;
}

}  // namespace loom::lower
