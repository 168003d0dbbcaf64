#include <unordered_map>

#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

constexpr DType kWide = DType::Int(64);

// The product, of 32 bits where it fits.
Expr stride(const IntImmNode& step, const IntImmNode& extent) {
  const std::int64_t product = step.value * extent.value;
  return intImm(product, product > 2147483647 ? kWide : DType::Int(32));
}

// Elements from one index of a dimension to the next; compact row-major where the buffer has no strides of its own.
std::vector<Expr> stridesOf(const BufferNode& b) {
  if (!b.strides.empty()) return b.strides;
  std::vector<Expr> strides(b.shape.size());
  Expr step = intImm(1);
  for (std::size_t d = b.shape.size(); d-- > 0;) {
    strides[d] = step;
    step = needsWideIndex(b) && asInt(step) && asInt(b.shape[d]) ? stride(*asInt(step), *asInt(b.shape[d]))
                                                                 : step * b.shape[d];
  }
  return strides;
}

class ViewResolution : public Mutator {
 protected:
  Block rewriteBlock(const Block& b) override {
    for (const MatchBuffer& m : b->matches) bindView(m);
    return edit(*b, [&](BlockNode& n) {
      n.matches.clear();
      for (BufferRegion& r : n.reads) r = rewriteRegion(r);
      for (BufferRegion& r : n.writes) r = rewriteRegion(r);
      n.body = rewrite(n.body);
    });
  }
  Expr rewriteVar(const Expr& e) override {
    auto found = values_.find(as<VarNode>(e));
    return found == values_.end() ? e : found->second;
  }
  // A view's symbols are of 32 bits, what stands for them may be of 64.
  Expr rewriteBinary(const Expr& e) override {
    const auto& n = *as<BinaryNode>(e);
    Expr a = rewrite(n.a), b = rewrite(n.b);
    if (a == n.a && b == n.b) return e;
    if (a->dtype != b->dtype) matchTypes(a, b);
    return binary(n.kind, a, b);
  }
  Expr rewriteLoad(const Expr& e) override {
    auto found = views_.find(as<LoadNode>(e)->buffer.get());
    if (found == views_.end()) return Mutator::rewriteLoad(e);
    return load(found->second.buffer, indices(found->second, as<LoadNode>(e)->indices));
  }
  Stmt rewriteStore(const Stmt& s) override {
    const auto& n = *as<StoreNode>(s);
    auto found = views_.find(n.buffer.get());
    if (found == views_.end()) return Mutator::rewriteStore(s);
    return store(found->second.buffer, rewrite(n.value), indices(found->second, n.indices));
  }

 private:
  struct View {
    Buffer buffer;            // looked at; itself never a view
    std::vector<Expr> start;  // of the window, per dimension of `buffer`
    std::size_t rank = 0;     // of the view; its dimensions are the last ones of the window
  };

  std::vector<Expr> indices(const View& view, const std::vector<Expr>& inner) {
    std::vector<Expr> result = view.start;
    std::size_t lead = view.start.size() - view.rank;
    for (std::size_t d = 0; d < inner.size(); ++d) result[lead + d] = result[lead + d] + rewrite(inner[d]);
    return result;
  }

  void bindView(const MatchBuffer& m) {
    View view;
    view.rank = m.buffer->shape.size();
    BufferRegion source = m.source;
    for (Range& r : source.region) r = rewriteRange(r);
    auto outer = views_.find(source.buffer.get());
    if (outer == views_.end()) {
      view.buffer = source.buffer;
      for (const Range& r : source.region) view.start.push_back(r.min);
    } else {
      view.buffer = outer->second.buffer;
      std::vector<Expr> inner;
      for (const Range& r : source.region) inner.push_back(r.min);
      view.start = outer->second.start;
      std::size_t lead = view.start.size() - inner.size();
      for (std::size_t d = 0; d < inner.size(); ++d) view.start[lead + d] = view.start[lead + d] + inner[d];
    }
    std::vector<Expr> strides = stridesOf(*view.buffer);
    Expr offset = view.buffer->elemOffset;
    const bool wide = needsWideIndex(*view.buffer);
    for (std::size_t d = 0; d < strides.size(); ++d)
      offset = offset + (wide ? cast(kWide, view.start[d]) : view.start[d]) * strides[d];
    bind(m.buffer->data, view.buffer->data);
    bind(m.buffer->elemOffset, offset);
    std::size_t lead = strides.size() - view.rank;
    for (std::size_t d = 0; d < m.buffer->strides.size(); ++d) bind(m.buffer->strides[d], strides[lead + d]);
    for (std::size_t d = 0; d < m.buffer->shape.size(); ++d) {
      bind(m.buffer->shape[d], source.region[source.region.size() - view.rank + d].extent);
    }
    views_[m.buffer.get()] = std::move(view);
  }
  void bind(const Expr& symbol, const Expr& value) {
    if (auto* var = asVar(symbol)) values_[var] = value;
  }

  std::unordered_map<const BufferNode*, View> views_;
  VarMap values_;
};

}  // namespace

bool needsWideIndex(const BufferNode& b) {
  // Of sizes that aren't known yet their type tells.
  for (const Expr& extent : b.shape)
    if (!asInt(extent) && extent->dtype.bits > 32) return true;
  if (const auto layout = elementLayout(b)) return layout->footprint() > 2147483647;
  std::int64_t elements = 1;
  for (const Expr& extent : b.shape) {
    std::int64_t n = constantOr(extent, 1);
    if (n != 0 && elements > 2147483647 / n) return true;
    elements *= n;
  }
  return false;
}

Stmt resolveViews(const Stmt& s) { return ViewResolution().rewrite(s); }

}  // namespace loom::lower
