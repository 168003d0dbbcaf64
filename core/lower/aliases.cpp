// Buffers over another's pointer, and threads that are launched twice, as lowered programs have them.
#include <algorithm>
#include <map>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

class Aliases : public Mutator {
 public:
  explicit Aliases(const std::vector<Parameter>& params) {
    for (const Parameter& p : params)
      if (p.buffer) owners_.emplace(p.buffer->data.get(), p.buffer);
  }

  Block rewriteBlock(const Block& b) override {
    for (const Buffer& buffer : b->allocs) owners_.emplace(buffer->data.get(), buffer);
    Block inner = Mutator::rewriteBlock(b);
    auto whole = [this](std::vector<BufferRegion>& regions) {
      for (BufferRegion& r : regions) {
        const Buffer owner = ownerOf(r.buffer);
        if (!owner) continue;
        r.buffer = owner;
        r.region.clear();
        for (const Expr& extent : owner->shape) r.region.push_back({intImm(0, extent->dtype), extent});
      }
    };
    const auto looks = [this](const BufferRegion& r) { return ownerOf(r.buffer) != nullptr; };
    if (std::none_of(inner->reads.begin(), inner->reads.end(), looks) &&
        std::none_of(inner->writes.begin(), inner->writes.end(), looks)) {
      return inner;
    }
    return edit(*inner, [&](BlockNode& n) {
      whole(n.reads);
      whole(n.writes);
    });
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const ForNode& loop = *asFor(s);
    if (loop.forKind != ForKind::ThreadBinding || isVirtualThread(loop.thread)) return Mutator::rewriteFor(s);
    for (const ForNode* outer : threads_) {
      const bool same = outer->thread == loop.thread && structuralEqual(outer->extent, loop.extent) &&
                        structuralEqual(outer->min, loop.min);
      if (!same) continue;
      const Stmt body = substitute(loop.body, {{loop.var.get(), cast(loop.var->dtype, outer->var)}});
      return rewrite(keepingUnrollAnnotations(loop, body));
    }
    threads_.push_back(&loop);
    Stmt done = Mutator::rewriteFor(s);
    threads_.pop_back();
    return done;
  }
  Expr rewriteLoad(const Expr& e) override {
    Expr inner = Mutator::rewriteLoad(e);
    const LoadNode& n = *asLoad(inner);
    const Buffer owner = ownerOf(n.buffer);
    return owner ? load(owner, indicesIn(*owner, *n.buffer, n.indices)) : inner;
  }
  Stmt rewriteStore(const Stmt& s) override {
    Stmt inner = Mutator::rewriteStore(s);
    const StoreNode& n = *as<StoreNode>(inner);
    const Buffer owner = ownerOf(n.buffer);
    if (!owner) return inner;
    return edit(n, [&](StoreNode& store) {
      store.indices = indicesIn(*owner, *n.buffer, n.indices);
      store.buffer = owner;
    });
  }

 private:
  // The buffer whose memory it looks at; null for one of its own memory, and where elements don't lie alike.
  Buffer ownerOf(const Buffer& b) const {
    const auto found = owners_.find(b->data.get());
    if (found == owners_.end() || found->second == b) return nullptr;
    const BufferNode& owner = *found->second;
    const bool compact = owner.strides.empty() && (!owner.elemOffset || isConst(owner.elemOffset, 0));
    return compact && owner.dtype == b->dtype && !owner.shape.empty() ? found->second : nullptr;
  }

  // The element of the owner that lies where the view's does. A vector goes on from there in memory.
  static std::vector<Expr> indicesIn(const BufferNode& owner, const BufferNode& view,
                                     const std::vector<Expr>& indices) {
    Expr place = view.elemOffset ? view.elemOffset : intImm(0);
    Expr step = intImm(1);
    std::shared_ptr<const RampNode> lanes;
    for (std::size_t d = indices.size(); d-- > 0;) {
      const Expr stride = view.strides.size() == view.shape.size() ? view.strides[d] : step;
      Expr at = indices[d];
      if (const auto* ramp = at->kind == ExprKind::Ramp ? as<RampNode>(at) : nullptr) {
        lanes = std::make_shared<const RampNode>(ramp->base, ramp->stride * stride, ramp->dtype.lanes);
        at = ramp->base;
      }
      place = place + at * stride;
      step = step * view.shape[d];
    }
    std::vector<Expr> out(owner.shape.size());
    for (std::size_t d = out.size(); d-- > 0;) {
      out[d] = d == 0 ? place : floormod(place, owner.shape[d]);
      place = floordiv(place, owner.shape[d]);
    }
    if (lanes) out.back() = std::make_shared<const RampNode>(out.back(), lanes->stride, lanes->dtype.lanes);
    return out;
  }

  std::map<const VarNode*, Buffer> owners_;
  std::vector<const ForNode*> threads_;  // loops around, outermost first
};

}  // namespace

Stmt resolveAliases(const Stmt& s, const std::vector<Parameter>& params) { return Aliases(params).rewrite(s); }

}  // namespace loom::lower
