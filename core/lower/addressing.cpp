#include "core/lower/addressing.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/device/cluster_memory.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"
#include "core/lower/cluster_slices.h"
#include "core/lower/instance.h"
#include "core/lower/joined_digits.h"
#include "core/lower/passes.h"
#include "core/lower/vector_index.h"
#include "core/lower/versions.h"

namespace loom::lower {

using namespace ir;
namespace dev = loom::device;

layout::Layout rowsOf(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
  std::vector<layout::Dimension> shape;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    shape.push_back({fmt::format("d{}", d), std::max<std::int64_t>(extents[d], 1)});
    elements += (shape.back().extent - 1) * strides[d];
  }
  if (!extents.empty()) elements = std::max(elements, extents[0] * strides[0]);
  return layout::strided(std::move(shape), strides, elements).value();
}

bool isWideIndex(const Expr& index) { return index->dtype.bits == 64 && !readsMemory(index); }

Addressing::Addressing(const dev::Kernel& kernel, const std::vector<Symbol>& symbols, BufferMap flat)
    : kernel_(kernel), flat_(std::move(flat)) {
  for (const dev::Allocation& a : kernel.allocations) allocated_[a.buffer.get()] = {&a, a.strides()};
  for (const Symbol& s : symbols)
    if (const auto range = rangeOf(s)) enter(s.var, *range);
  for (int axis = 0; axis < 3; ++axis) {
    enter(kernel.threadIdx[axis], Range{intImm(0), intImm(kernel.block[axis])});
    enter(kernel.blockIdx[axis], Range{intImm(0), kernel.gridExtent(axis)});
  }
}

void Addressing::enter(const dev::LoopNode& loop) {
  Expr& before = extents_[loop.var];
  if (before == loop.extent) return;  // of a loop that stands, or is walked, several times
  before = loop.extent;
  enter(loop.var, Range{intImm(0, loop.var->dtype), loop.extent});
}

void Addressing::enter(const Var& var, const Range& range) { analyzer_.bind(var, range, true); }

Expr Addressing::flat(const Expr& e) {
  class Flattening : public Mutator {
   public:
    explicit Flattening(Addressing& owner) : owner_(owner) {}

   protected:
    Expr rewriteLoad(const Expr& e) override {
      const auto& l = *as<LoadNode>(e);
      const Expr flat = load(owner_.flat_.empty() ? l.buffer : owner_.flat_.at(l.buffer.get()), {owner_.offset(l)});
      const Expr slice = dev::sliceOf(l.buffer, l.indices);
      if (!slice || isOwnSlice(owner_.kernel_, slice)) return flat;
      return dev::inBlock(flat, blockOfSlice(owner_.kernel_, rewrite(slice)));
    }

   private:
    Addressing& owner_;
  };
  return e ? Flattening(*this).rewrite(e) : e;
}

Expr Addressing::offset(const LoadNode& load) { return offset({load.buffer, load.indices, load.dtype.lanes, false}); }

Expr Addressing::offset(const dev::BufferPlace& place) {
  std::size_t key = std::hash<const BufferNode*>()(place.buffer.get());
  for (const Expr& index : place.at) key = key * 31 + std::hash<Expr>()(index);
  std::vector<Known>& before = known_[key];
  for (const Known& k : before) {
    if (k.place.buffer == place.buffer && k.place.at == place.at && k.place.lanes == place.lanes) return k.offset;
  }
  const auto found = allocated_.find(place.buffer.get());
  const Allocated* allocated = found == allocated_.end() ? nullptr : &found->second;
  const dev::Allocation* allocation = allocated ? allocated->allocation : nullptr;
  const std::size_t versions = allocation ? allocation->versions.size() : 0;
  std::vector<Expr> at(place.at.begin() + std::ptrdiff_t(versions), place.at.end());
  Expr sum = place.byOffset ? flat(at[0]) : ofCoordinates(place.buffer, allocated, std::move(at));
  if (place.lanes > 1 && sum->dtype.lanes == 1) sum = ramp(sum, intImm(1, sum->dtype), place.lanes);
  // A version lies behind the one before it.
  std::int64_t each = allocation ? elementsEach(*allocation) : 0;
  for (std::size_t v = versions; v-- > 0; each *= allocation->versions[v]) {
    const Expr start = analyzer_.simplifyOwn(place.at[v] * intImm(each, sum->dtype.element()));
    const auto* r = sum->kind == ExprKind::Ramp ? as<RampNode>(sum) : nullptr;
    sum = r ? Expr(std::make_shared<RampNode>(start + r->base, r->stride, sum->dtype.lanes)) : start + sum;
  }
  known_[key].push_back({place, sum});
  return sum;
}

Expr Addressing::ofCoordinates(const Buffer& b, const Allocated* allocated, std::vector<Expr> at) {
  const bool needsWide = needsWideIndex(*b) || std::any_of(at.begin(), at.end(), isWideIndex);
  const DType wide = needsWide ? DType::Int(64) : DType::Int(32);
  Expr sum = b->elemOffset ? cast(wide, b->elemOffset) : intImm(0, wide);
  std::vector<Expr> strides(b->shape.size());
  if (allocated) {
    for (std::size_t d = 0; d < strides.size(); ++d)
      strides[d] = intImm(allocated->strides.empty() ? 1 : allocated->strides[d], wide);
  } else {
    Expr step = intImm(1, wide);
    for (std::size_t d = strides.size(); d-- > 0;) {
      strides[d] = b->strides.empty() ? step : cast(wide, b->strides[d]);
      step = step * cast(wide, b->shape[d]);
    }
  }
  Expr lane;  // elements from a lane of a vector to the next
  int lanes = 1;
  // Slabs of a dimension lie apart from each other.
  const auto apart = [&](std::size_t d, const Expr& index) {
    Expr all;
    const auto& stage = std::get<layout::DigitStage>(allocated->allocation->layout.stages().front());
    for (const layout::Digit& digit : stage.digits) {
      if (digit.source != int(d)) continue;
      const Expr part = floormod(floordiv(index, intImm(digit.divisor, wide)), intImm(digit.extent, wide)) *
                        intImm(digit.stride, wide);
      all = all ? all + part : part;
    }
    return all ? all : intImm(0, wide);
  };
  for (std::size_t d = 0; d < at.size(); ++d) {
    Expr index = flat(at[d]);
    if (index->dtype.lanes > 1) {
      const EvenLanes r = *evenLanes(index);  // `convert` refuses others
      lanes = index->dtype.lanes;
      const Expr step = cast(wide, r.stride) * strides[d];
      lane = lane ? lane + step : step;
      index = r.base;
    }
    const bool slabs = allocated && allocated->strides.empty();
    sum = sum + (slabs ? apart(d, cast(wide, index)) : cast(wide, index) * strides[d]);
  }
  sum = analyzer_.simplifyOwn(sum);
  if (at.size() > 1) sum = withJoinedDigits(sum, analyzer_);
  if (allocated) sum = throughLayout(*allocated->allocation, sum);
  if (lanes == 1) return sum;
  return std::make_shared<RampNode>(sum, analyzer_.simplifyOwn(lane), lanes);
}

// What follows the strides in a layout: xors of the element's number. Where its part below the xor's last bit is told
// apart, the xor is of that part alone: what the compiler knows of the rest then stays an offset from one address.
Expr Addressing::throughLayout(const dev::Allocation& allocation, Expr sum) {
  const auto& stages = allocation.layout.stages();
  for (std::size_t s = 1; s < stages.size(); ++s) {
    const auto& x = std::get<layout::XorStage>(stages[s]);
    const DType t = sum->dtype;
    const Expr line =
        floormod(floordiv(sum, intImm(std::int64_t{1} << (x.base + x.shift), t)), intImm(std::int64_t{1} << x.bits, t));
    const Expr moved = analyzer_.simplifyOwn(line * intImm(std::int64_t{1} << x.base, t));
    if (isConst(moved, 0)) continue;
    const Expr above = intImm(std::int64_t{1} << (x.base + x.bits), t);
    const Expr high = analyzer_.simplifyOwn(floordiv(sum, above)), low = analyzer_.simplifyOwn(floormod(sum, above));
    const bool apart = !isConst(high, 0) && !structuralEqual(low, floormod(sum, above));
    sum = apart ? analyzer_.simplifyOwn(high * above) + call(t, "bitwise_xor", {low, moved})
                : call(t, "bitwise_xor", {sum, moved});
  }
  return sum;
}

}  // namespace loom::lower
