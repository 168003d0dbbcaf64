#include "core/schedule/read_value.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"
#include "core/schedule/linear_index.h"
#include "core/schedule/read_place.h"

namespace loom::schedule {

namespace {

using namespace ir;

bool namesAny(const LinearIndex& sum) {
  return std::ranges::any_of(sum.of, [](std::int64_t times) { return times != 0; });
}

// The linear functions of iterators in an expression, the largest ones, each once whatever is added to it.
std::vector<LinearIndex> linearParts(const BlockNode& block, const Expr& e) {
  struct Parts : Visitor {
    const BlockNode& block;
    std::vector<LinearIndex> all;
    explicit Parts(const BlockNode& of) : block(of) {}
    using Visitor::visit;
    void visit(const Expr& e) override {
      const auto sum = linearIndex(block, e);
      if (!sum) return Visitor::visit(e);
      const auto isSame = [&](const LinearIndex& known) { return known.of == sum->of; };
      if (namesAny(*sum) && std::ranges::none_of(all, isSame)) all.push_back(*sum);
    }
  } parts(block);
  parts.visit(e);
  return std::move(parts.all);
}

// A dimension of the copy.
struct Dimension {
  LinearIndex part;     // the linear function that it stands for, without what is added
  std::int64_t by = 1;  // that divides all its coefficients
  std::int64_t least = 0, extent = 1;
  Expr index;  // instead: an index that isn't linear, which it stands for as a whole
  Var var;     // of the copying block
  DType dtype;
};

// The dimension that takes all values of a linear function; nothing: there are numbers between them.
std::optional<Dimension> dimensionOf(const BlockNode& block, const LinearIndex& part) {
  Dimension d;
  d.part = part;
  d.part.constant = 0;
  d.by = 0;
  for (const std::int64_t times : part.of) d.by = std::gcd(d.by, times);
  if (d.by == 0) return std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // and how many
  for (std::size_t n = 0; n < block.iters.size(); ++n) {
    const std::int64_t times = part.of[n] / d.by, extent = constantOr(block.iters[n].domain.extent, 0);
    if (times == 0) continue;
    if (extent < 1 || !isConst(block.iters[n].domain.min, 0)) return std::nullopt;
    if (times < 0) d.least += times * (extent - 1);
    if (extent > 1) steps.emplace_back(std::abs(times), extent - 1);
  }
  std::ranges::sort(steps);
  for (const auto& [step, count] : steps) {
    if (step > d.extent) return std::nullopt;
    d.extent += step * count;
  }
  return d;
}

// The dimensions of a copy of what is read at these indices, each of iterators of its own; nothing: they have none
// such.
std::optional<std::vector<Dimension>> dimensionsOf(const BlockNode& block, const LoadNode& load) {
  std::vector<Dimension> all;
  std::vector<bool> taken(block.iters.size(), false);
  for (std::size_t n = 0; n < load.indices.size(); ++n) {
    const Expr& index = load.indices[n];
    const std::vector<LinearIndex> parts = linearParts(block, index);
    if (parts.empty()) continue;  // the same for all iterators
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const bool isHere = std::ranges::any_of(parts, [&](const LinearIndex& part) { return part.names(int(i)); });
      if (isHere && taken[i]) return std::nullopt;
      taken[i] = taken[i] || isHere;
    }
    std::optional<Dimension> made;
    if (parts.size() == 1) {
      made = dimensionOf(block, parts.front());
    } else if (const std::int64_t extent = constantOr(load.buffer->shape[n], 0); extent > 0) {
      made.emplace();
      made->index = index;
      made->extent = extent;
    }
    if (!made) return std::nullopt;
    made->dtype = index->dtype;
    made->var = makeVar("v" + std::to_string(all.size()), index->dtype);
    all.push_back(std::move(*made));
  }
  return all;
}

Expr sumOf(Expr e, std::int64_t constant) {
  return constant == 0 ? e : constant < 0 ? std::move(e) - (-constant) : std::move(e) + constant;
}

// An expression of the block by the dimensions of the copy.
class ByDimensions : public Mutator {
 public:
  ByDimensions(const BlockNode& block, const std::vector<Dimension>& dimensions)
      : block_(block), dimensions_(dimensions) {}

  // Nothing: the expression depends on iterators in another way than the dimensions do.
  std::optional<Expr> of(const Expr& e) {
    fails_ = false;
    Expr made = rewrite(e);
    return fails_ ? std::nullopt : std::optional(std::move(made));
  }

  using Mutator::rewrite;
  Expr rewrite(const Expr& e) override {
    for (const Dimension& d : dimensions_)
      if (d.index && structuralEqual(d.index, e)) return d.var;
    const auto sum = linearIndex(block_, e);
    if (!sum || !namesAny(*sum)) return Mutator::rewrite(e);
    if (auto made = combined(*sum, e->dtype)) return *made;
    return Mutator::rewrite(e);
  }

 protected:
  Expr rewriteVar(const Expr& e) override {
    fails_ |= std::ranges::any_of(block_.iters, [&](const IterVar& i) { return Expr(i.var) == e; });
    return e;
  }

 private:
  std::optional<Expr> combined(LinearIndex sum, const DType& dtype) const {
    Expr made;
    for (const Dimension& d : dimensions_) {
      if (d.index) continue;
      std::int64_t times = 0;
      for (std::size_t n = 0; n < sum.of.size(); ++n)
        if (d.part.of[n] != 0) times = sum.of[n] / (d.part.of[n] / d.by);
      if (times == 0) continue;
      for (std::size_t n = 0; n < sum.of.size(); ++n) sum.of[n] -= times * (d.part.of[n] / d.by);
      sum.constant += times * d.least;
      Expr term = cast(dtype, d.var) * times;
      made = made ? std::move(made) + std::move(term) : std::move(term);
    }
    return made && !namesAny(sum) ? std::optional(sumOf(std::move(made), sum.constant)) : std::nullopt;
  }

  const BlockNode& block_;
  const std::vector<Dimension>& dimensions_;
  bool fails_ = false;
};

// The largest expressions that read the buffer, no other one that the block writes, and depend on nothing but the
// dimensions of the copy.
class ValueFinder : public Visitor {
 public:
  ValueFinder(const BlockNode& block, const Buffer& buffer, const std::vector<Dimension>& dimensions)
      : block_(block), buffer_(buffer), dimensions_(dimensions) {}

  std::vector<Expr> found;
  using Visitor::visit;
  void visit(const Expr& e) override {
    if (readsBuffer(e) && ByDimensions(block_, dimensions_).of(e))
      found.push_back(e);
    else
      Visitor::visit(e);
  }

 private:
  bool readsBuffer(const Expr& e) const {
    bool reads = false, writes = false;
    for (const LoadNode* load : loadsIn(e)) {
      reads |= load->buffer == buffer_;
      writes |= std::ranges::find(block_.writes, load->buffer, &BufferRegion::buffer) != block_.writes.end();
    }
    return reads && !writes;
  }

  const BlockNode& block_;
  const Buffer& buffer_;
  const std::vector<Dimension>& dimensions_;
};

// Whether a cast loses nothing, so that its operand is as good a copy as its result, and shorter.
bool onlyWidens(const Expr& e) {
  if (e->kind != ExprKind::Cast) return false;
  const DType &to = e->dtype, &from = as<CastNode>(e)->value->dtype;
  const bool isOfKind = to.isFloat() ? from.isFloat() : to.code == from.code || (to.isInt() && from.isUInt());
  return to == from || (isOfKind && to.bits > from.bits);
}

// A value without such casts around it, which are added to `casts` from the outermost on. A choice between what is cast
// and 0 is the cast of a choice.
Expr narrowed(Expr e, std::vector<DType>& casts) {
  while (onlyWidens(e)) casts.push_back(e->dtype), e = as<CastNode>(e)->value;
  const auto* select = e->kind == ExprKind::Select ? as<SelectNode>(e) : nullptr;
  const auto* call = asCall(e);
  if (!select && !(call && call->op == "if_then_else" && call->args.size() == 3)) return e;
  const Expr &condition = select ? select->condition : call->args[0], &yes = select ? select->yes : call->args[1];
  if (!onlyWidens(yes) || !isZero(select ? select->no : call->args[2])) return e;
  std::vector<DType> inside;
  const Expr narrow = narrowed(yes, inside);
  casts.insert(casts.end(), inside.begin(), inside.end());
  return select ? ir::select(condition, narrow, zero(narrow->dtype))
                : ifThenElse(condition, narrow, zero(narrow->dtype));
}

}  // namespace

std::optional<ReadValue> readValueOf(const BlockNode& block, const Buffer& buffer) {
  const std::vector<std::vector<Expr>> places = readPlaces(block, buffer);
  if (places.size() != 1) return std::nullopt;
  if (std::ranges::any_of(places.front(), readsMemory)) return std::nullopt;
  const auto element = std::make_shared<const LoadNode>(buffer, places.front(), buffer->dtype);
  const auto dimensions = dimensionsOf(block, *element);
  if (!dimensions || dimensions->empty()) return std::nullopt;
  ValueFinder finder(block, buffer, *dimensions);
  finder.visit(block.body);
  const auto isFirst = [&](const Expr& e) { return structuralEqual(e, finder.found.front()); };
  if (finder.found.empty() || !std::ranges::all_of(finder.found, isFirst)) return std::nullopt;
  ReadValue made;
  made.whole = finder.found.front();
  const Expr copied = narrowed(made.whole, made.casts);
  std::ranges::reverse(made.casts);
  if (copied->kind == ExprKind::Load) return std::nullopt;
  made.value = *ByDimensions(block, *dimensions).of(copied);
  for (const Dimension& d : *dimensions) {
    made.iterators.push_back({d.var, {intImm(0, d.dtype), intImm(d.extent, d.dtype)}, IterType::Spatial});
    Expr index = d.index;
    for (std::size_t n = 0; !d.index && n < block.iters.size(); ++n) {
      if (d.part.of[n] == 0) continue;
      Expr term = cast(d.dtype, block.iters[n].var) * (d.part.of[n] / d.by);
      index = index ? std::move(index) + std::move(term) : std::move(term);
    }
    made.indices.push_back(d.index ? index : sumOf(std::move(index), -d.least));
  }
  return made;
}

}  // namespace loom::schedule
