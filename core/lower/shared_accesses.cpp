#include "core/lower/shared_accesses.h"

#include <algorithm>

#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/cluster_slices.h"
#include "core/lower/execution_group.h"

namespace loom::lower {

using namespace device;

SharedAccesses::SharedAccesses(const Kernel& kernel, const std::vector<ir::Symbol>& symbols)
    : kernel_(kernel), addresses_(kernel, symbols) {
  addresses_.enter(warpNumber(), ir::Range{ir::intImm(0), ir::intImm(kWarpsOfWarpgroup)});
  for (const Allocation& a : kernel.allocations) {
    if (isShared(a.memory)) visible_.insert(a.buffer.get());
    versions_[a.buffer.get()] = a.versions.size();
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
      out.push_back(readBy(s, landed, *sources));
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
    out.push_back(std::move(a));
  }
  for (const MemoryEffect& effect : effects.memory) {
    if (!visible_.count(effect.place.buffer.get())) continue;
    AccessSite site = siteOf(*s);
    if (!effect.tile) locate(site, effect.place);
    locateOfWarp(site, effect, effects.group, s->uncovered);
    SharedAccess a;
    a.buffer = effect.place.buffer.get();
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

AccessSite SharedAccesses::siteOf(const StmtNode& s) const {
  AccessSite site;
  site.stmt = &s;
  site.origin = s.origin;
  site.uncovered = Axes{static_cast<std::uint8_t>(s.uncovered.bits & 0b111)};
  site.loops = loops_;
  site.guard = guard_;
  return site;
}

// What was stored has been read, by the threads that asked for it, once they have waited.
SharedAccess SharedAccesses::readBy(const Stmt& wait, const Landed& landed, Token token) {
  AccessSite site = siteOf(*wait);
  forEach(kernel_.body, [&](const Stmt& s) {
    const Effects effects = effectsOf(s);
    if (std::ranges::count(effects.signals, token) == 0) return true;
    for (const MemoryEffect& effect : effects.memory)
      if (effect.place.buffer == landed.buffer && !site.ofWarp) locateOfWarp(site, effect, effects.group, s->uncovered);
    return true;
  });
  SharedAccess a;
  a.buffer = landed.buffer.get();
  a.versions = landed.versions;
  a.landed = true;
  a.site = std::make_shared<const AccessSite>(std::move(site));
  return a;
}

// Warps have parts of their own in what a warpgroup writes of its sum, 16 rows each, and in boxes that a lane of each
// asks for.
void SharedAccesses::locateOfWarp(AccessSite& site, const MemoryEffect& effect, Group group, Axes uncovered) {
  if (!effect.tile || kernel_.block[0] != kWarpgroupThreads) return;
  const bool box = (uncovered.bits & Axes::kFurtherLanes) != 0;
  const bool ofSum = effect.tile->operand == Operand::Accumulator && group == Group::Warpgroup;
  if (!box && !ofSum) return;
  const auto allocation = std::ranges::find(kernel_.allocations, effect.place.buffer, &Allocation::buffer);
  if (allocation == kernel_.allocations.end()) return;
  const std::vector<std::int64_t> extents = allocation->extents();
  const std::int64_t pitch = extents.empty() ? 1 : extents.back();
  BufferPlace place = effect.place;
  site.ofGroup = !allocation->versions.empty() && place.at.front() == Expr(kernel_.threadIdx[1]);
  place.at.erase(place.at.begin(), place.at.begin() + std::ptrdiff_t(allocation->versions.size()));
  Expr offset = place.at.back();
  if (!place.byOffset) {
    offset = ir::intImm(0);
    for (std::size_t d = 0; d < place.at.size(); ++d)
      offset = offset * ir::intImm(extents[d]) + ir::cast(DType::Int(32), place.at[d]);
  }
  std::int64_t rows = effect.tile->rows;
  const Expr warp = warpNumber();
  if (ofSum) {
    rows /= kWarpsOfWarpgroup;
    offset = offset + ir::cast(offset->dtype, warp) * ir::intImm(rows * pitch, offset->dtype);
  } else {
    offset = ir::substitute(offset, {{kernel_.threadIdx[0].get(), warp * ir::intImm(kWarpLanes)}});
  }
  site.ofWarp = addresses_.analyzer().simplify(offset);
  site.reach = (rows - 1) * pitch + effect.tile->columns;
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
  bool loads = false;
  for (const Expr& index : place.at)
    ir::forEachExpr(index, [&](const Expr& x) { loads |= x->kind == ir::ExprKind::Load; });
  if (!loads) site.coordinates = place.at;
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
