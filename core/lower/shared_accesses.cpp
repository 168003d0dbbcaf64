#include "core/lower/shared_accesses.h"

#include <algorithm>

#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::lower {

using namespace device;

SharedAccesses::SharedAccesses(const Kernel& kernel, const std::vector<ir::Symbol>& symbols)
    : addresses_(kernel, symbols) {
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

std::vector<SharedAccess> SharedAccesses::of(const Stmt& s) {
  std::vector<SharedAccess> out;
  const Effects effects = effectsOf(s);
  // What everybody waits for by itself needs no further meeting.
  const bool everybody =
      std::ranges::any_of(effects.awaits, [](Token token) { return rowOf(token).forAll && !rowOf(token).byArrival; });
  for (const Landed& landed : effects.landed) {
    if (everybody) break;
    SharedAccess a;
    a.buffer = landed.buffer.get();
    a.stmt = s.get();
    a.origin = landed.by;
    a.write = a.landed = true;
    a.versions = landed.versions;
    a.loops = loops_;
    out.push_back(std::move(a));
  }
  for (const MemoryEffect& effect : effects.memory) {
    if (!visible_.count(effect.place.buffer.get())) continue;
    SharedAccess a;
    a.buffer = effect.place.buffer.get();
    a.stmt = s.get();
    a.origin = s->origin;
    a.write = effect.writes();
    a.repeatable = effect.repeatable;
    a.byCopyEngine = effect.agent == Agent::CopyEngine;
    a.byTensorCores = effect.agent == Agent::TensorCore;
    if (!effect.tile) locate(a, effect.place);
    if (const auto versions = versions_.find(a.buffer); versions != versions_.end())
      a.versions.assign(effect.place.at.begin(), effect.place.at.begin() + std::ptrdiff_t(versions->second));
    a.uncovered = Axes{static_cast<std::uint8_t>(s->uncovered.bits & 0b111)};
    a.loops = loops_;
    a.guard = guard_;
    out.push_back(std::move(a));
  }
  return out;
}

// Of single elements the coordinates, too: they tell threads apart where a flat index alone doesn't. A vector has none,
// and an index that is loaded itself tells nothing.
void SharedAccesses::locate(SharedAccess& a, const BufferPlace& place) {
  a.index = addresses_.offset(place);
  if (a.index->kind == ir::ExprKind::Ramp) {
    const auto& r = *ir::as<ir::RampNode>(a.index);
    a.lanes = r.dtype.lanes * std::max<std::int64_t>(1, ir::constantOr(r.stride, 1));
    a.index = r.base;
    return;
  }
  if (place.at.size() < 2) return;
  bool loads = false;
  for (const Expr& index : place.at)
    ir::forEachExpr(index, [&](const Expr& x) { loads |= x->kind == ir::ExprKind::Load; });
  if (!loads) a.coordinates = place.at;
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
