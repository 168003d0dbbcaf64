#include "core/tune/tensorize/pattern_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/device/precision.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/script/printer.h"

namespace loom::tune {
namespace {

using namespace ir;

const Expr& uncast(const Expr& e) { return e->kind == ExprKind::Cast ? as<CastNode>(e)->value : e; }
const LoadNode* loadOf(const Expr& e) { return asLoad(uncast(e)); }

bool isZero(const Stmt& init) {
  return init->kind == StmtKind::Store && ir::isZero(uncast(as<StoreNode>(init)->value));
}

// Fills in one report by looking at one block.
class Matcher {
 public:
  Matcher(const schedule::State& state, Id id, const TensorizeRequest& request, const intrin::Library* library,
          const model::Device* device)
      : block_(*state.tree().block(id)), request_(request), library_(library), device_(device) {
    out_.lookedAt = {id};
    for (Id loop : state.tree().loopsAbove(id)) out_.lookedAt.push_back(loop);
    out_.product.block = id;
    out_.product.name = block_.name;
    out_.expected = "C[i, j] = C[i, j] + A[i, k] * B[k, j]";
  }

  PatternMatch run() {
    const auto* store = block_.body->kind == StmtKind::Store ? as<StoreNode>(block_.body) : nullptr;
    if (!store) {
      fail(PassOutcome::NotAReduction, script::printStmt(block_.body),
           message("The body of {} is no single store that adds to itself.", block_.name));
      return std::move(out_);
    }
    out_.found = script::printStmt(block_.body);
    if (sum(*store) && factors(*store) && types(*store) && indices(*store)) tile();
    return std::move(out_);
  }

 private:
  bool fail(PassOutcome outcome, std::string unequal, Message verdict) {
    out_.outcome = outcome;
    out_.unequal = std::move(unequal);
    out_.verdict = std::move(verdict);
    return false;
  }

  // What is not `left` or `right` of a value that reads the result: it may add several terms, or do something else.
  bool notOneTerm(const StoreNode& store, const std::function<bool(const Expr&)>& isResult) {
    std::vector<Expr> terms, open{store.value};
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      if (e->kind != ExprKind::Add) {
        terms.push_back(e);
        continue;
      }
      const auto* sides = as<BinaryNode>(e);
      open.push_back(sides->b), open.push_back(sides->a);
    }
    if (std::ranges::count_if(terms, isResult) == 1) {
      return fail(
          PassOutcome::SourceNotAProduct, script::printExpr(store.value),
          message("{} adds {} terms at once to the element that it writes; a tensor operation adds one product.",
                  block_.name, terms.size() - 1));
    }
    const std::vector<const LoadNode*> loads = loadsIn(store.value);
    const bool reads = std::ranges::any_of(loads, [&](const LoadNode* load) { return load->buffer == store.buffer; });
    return fail(
        PassOutcome::NotAReduction, script::printExpr(store.value),
        reads ? message("{} reads {}, but doesn't add to the element that it writes.", block_.name, store.buffer->name)
              : message("{} doesn't add to the element that it writes.", block_.name));
  }

  // The added part; the reduce axis.
  bool sum(const StoreNode& store) {
    const auto isSame = [&](const std::vector<Expr>& indices) {
      return std::ranges::equal(indices, store.indices,
                                [](const Expr& a, const Expr& b) { return structuralEqual(a, b); });
    };
    const auto isResult = [&](const Expr& e) {
      const auto* load = asLoad(e);
      return load && load->buffer == store.buffer && isSame(load->indices);
    };
    const auto* combined = isBinary(store.value->kind) ? as<BinaryNode>(store.value) : nullptr;
    const bool left = combined && isResult(combined->a), right = combined && isResult(combined->b);
    if (!left && !right) return notOneTerm(store, isResult);
    const auto reduced = std::ranges::count(block_.iters, IterType::Reduce, &IterVar::type);
    if (reduced == 0) {
      return fail(PassOutcome::NoReduceAxis, block_.name, message("No iterator of {} is reduced.", block_.name));
    }
    if (reduced > 1) {
      std::string names;
      for (const IterVar& iter : block_.iters)
        if (iter.type == IterType::Reduce) names += (names.empty() ? "" : ", ") + iter.var->name;
      return fail(
          PassOutcome::SeveralReduceAxes, names,
          message("{} adds up along {} iterators ({}); a tensor operation along one.", block_.name, reduced, names));
    }
    if (store.value->kind != ExprKind::Add) {
      return fail(PassOutcome::CombinerNotASum, script::printExpr(store.value),
                  message("{} combines its results by something else than +.", block_.name));
    }
    if (!block_.init) {
      return fail(PassOutcome::CombinerNotASum, script::printExpr(store.value),
                  message("{} has no init: it adds to what {} holds already, and a tensor operation's sum begins at "
                          "zero.",
                          block_.name, store.buffer->name));
    }
    if (!isZero(block_.init)) {
      return fail(PassOutcome::CombinerNotASum, script::printStmt(block_.init),
                  message("The sum of {} doesn't begin at zero.", block_.name));
    }
    const auto* first = as<StoreNode>(block_.init);
    if (first->buffer != store.buffer || !isSame(first->indices)) {
      return fail(PassOutcome::CombinerNotASum, script::printStmt(block_.init),
                  message("The init of {} writes another element than the one that it adds to.", block_.name));
    }
    out_.product.sumFirst = right && !left;
    added_ = left ? combined->b : combined->a;
    return true;
  }

  bool factors(const StoreNode& store) {
    const Expr& inner = uncast(added_);
    if (inner != added_ && inner->kind == ExprKind::Mul) {
      const DType kept = inner->dtype.bits <= added_->dtype.bits ? inner->dtype : added_->dtype;
      return fail(PassOutcome::SourceNotAProduct, script::printExpr(added_),
                  message("The product is rounded to {} before it is added; a tensor operation adds it unrounded.",
                          kept.str()));
    }
    if (added_->kind != ExprKind::Mul) {
      return fail(PassOutcome::SourceNotAProduct, script::printExpr(added_),
                  message("What {} adds is no product.", block_.name));
    }
    const auto* product = as<BinaryNode>(added_);
    for (const Expr* side : {&product->a, &product->b}) {
      if (loadOf(*side)) continue;
      return fail(PassOutcome::NotTwoReads, script::printExpr(*side),
                  message("A factor of {} is no element of a buffer.", block_.name));
    }
    loads_ = {loadOf(product->a), loadOf(product->b)};
    for (const LoadNode* load : loads_) {
      if (load->buffer != store.buffer) continue;
      return fail(
          PassOutcome::NotTwoReads, script::printExpr(added_),
          message("A factor of {} is an element of {}, which it writes itself.", block_.name, store.buffer->name));
    }
    if (loads_[0]->buffer == loads_[1]->buffer) {
      return fail(PassOutcome::NotTwoReads, script::printExpr(added_),
                  message("Both factors of {} are elements of {}.", block_.name, loads_[0]->buffer->name));
    }
    for (std::size_t n = 0; n < 2; ++n) {
      ProductFactor& factor = out_.product.factors[n];
      factor.buffer = loads_[n]->buffer;
      const auto read = std::ranges::find(block_.reads, factor.buffer, &BufferRegion::buffer);
      if (read == block_.reads.end()) {
        return fail(PassOutcome::NotTwoReads, factor.buffer->name,
                    message("{} doesn't list {} among its reads.", block_.name, factor.buffer->name));
      }
      factor.read = int(read - block_.reads.begin());
      out_.lookedAt.push_back(factor.buffer->id);
    }
    return true;
  }

  bool types(const StoreNode& store) {
    MatrixProduct& p = out_.product;
    p.result = store.buffer;
    p.element = loads_[0]->buffer->dtype;
    p.accumulator = store.buffer->dtype;
    out_.lookedAt.push_back(store.buffer->id);
    if (p.element != loads_[1]->buffer->dtype || !isTensorElement(p.element)) {
      return fail(PassOutcome::OperandTypes, script::printExpr(added_),
                  message("Tensor cores multiply float16, bfloat16, float32 (as tf32), int8, uint8, int4, uint4 and "
                          "single bits, both factors alike; here {} by {}.",
                          p.element.str(), loads_[1]->buffer->dtype.str()));
    }
    if (isLessExact(p.element) && !request_.tf32) {
      return fail(PassOutcome::OperandTypes, script::printExpr(added_),
                  message("Tensor cores multiply {} as tf32 alone, which keeps {} of its {} digits: that is the user's "
                          "choice (allow tf32).",
                          p.element.str(), device::kTf32Digits, device::kFloat32Digits));
    }
    if (!isAccumulatorOf(p.element, p.accumulator)) {
      return fail(
          PassOutcome::AccumulatorType, store.buffer->name,
          message("Products of {} are not added up in {} by tensor cores.", p.element.str(), p.accumulator.str()));
    }
    if (added_->dtype != p.accumulator) {
      return fail(PassOutcome::AccumulatorType, script::printExpr(added_),
                  message("The product is {}, the sum {}.", added_->dtype.str(), p.accumulator.str()));
    }
    const std::string cast = p.element == p.accumulator ? "" : p.accumulator.str();
    const auto shown = [&](const char* load) { return cast.empty() ? std::string(load) : cast + "(" + load + ")"; };
    out_.expected = fmt::format("C[i, j] = C[i, j] + {} * {}", shown("A[i, k]"), shown("B[k, j]"));
    return true;
  }

  // The iterator that the index is; -1: it is none.
  int iteratorOf(const Expr& index) const {
    for (std::size_t n = 0; n < block_.iters.size(); ++n)
      if (index.get() == block_.iters[n].var.get()) return int(n);
    return -1;
  }
  bool bare(const Buffer& buffer, const std::vector<Expr>& indices, std::vector<int>& out) {
    for (const Expr& index : indices) {
      const int iterator = iteratorOf(index);
      if (iterator < 0 || std::ranges::count(out, iterator) > 0) {
        return fail(PassOutcome::IndicesNotBare, script::printExpr(index),
                    message("{} of {} is no iterator by itself.", script::printExpr(index), buffer->name));
      }
      out.push_back(iterator);
    }
    return true;
  }

  // The bijection: the result's last two dimensions are i and j, those before them stand first in both factors.
  bool indices(const StoreNode& store) {
    MatrixProduct& p = out_.product;
    for (const IterVar& iter : block_.iters) {
      p.names.push_back(iter.var->name);
      p.extents.push_back(constantOr(iter.domain.extent, 0));
      if (iter.type == IterType::Reduce) p.k = int(p.names.size()) - 1;
    }
    std::vector<int> result;
    if (!bare(store.buffer, store.indices, result)) return false;
    for (std::size_t n = 0; n < 2; ++n)
      if (!bare(loads_[n]->buffer, loads_[n]->indices, p.factors[n].iterators)) return false;
    if (result.size() < 2) {
      return fail(
          PassOutcome::IndicesNotBare, store.buffer->name,
          message("What block {} writes has {} dimensions; the result of a tensor operation has rows and columns.",
                  block_.name, result.size()));
    }
    for (std::size_t n = 0; n < block_.iters.size(); ++n) {
      const bool indexes = std::ranges::count(result, int(n)) > 0, reduced = int(n) == p.k;
      if (indexes != reduced) continue;
      return fail(
          PassOutcome::IndicesNotBare, p.names[n],
          reduced
              ? message("Block {} adds up along {}, which indexes the element that it writes.", block_.name, p.names[n])
              : message("Block {} has the iterator {}, which indexes nothing that it writes and isn't reduced.",
                        block_.name, p.names[n]));
    }
    p.batch.assign(result.begin(), result.end() - 2);
    p.i = result[result.size() - 2];
    p.j = result.back();
    return true;
  }

  bool tile() {
    const MatrixProduct& p = out_.product;
    const auto divides = [&](const device::ProductTile& t) {
      const int m = request_.swapped ? p.j : p.i, n = request_.swapped ? p.i : p.j;
      const auto extent = [&](int iterator) { return p.extents[std::size_t(iterator)]; };
      return extent(m) > 0 && extent(n) > 0 && extent(p.k) > 0 && extent(m) % t.m == 0 && extent(n) % t.n == 0 &&
             extent(p.k) % t.k == 0;
    };
    const auto storable = [&](const device::ProductTile& t) { return t.n * p.accumulator.bits >= kTileBits; };
    const TensorTile* chosen = nullptr;
    for (const TensorTile& t : tensorTiles()) {
      if (t.element != p.element || (request_.tile && *request_.tile != t.shape)) continue;
      const bool fits = divides(t.shape) && storable(t.shape) && !whyNot(t, p.accumulator, library_, device_);
      if (!chosen || fits) chosen = &t;
      if (fits) break;
    }
    if (!chosen) {
      return fail(PassOutcome::OperandTypes, p.element.str(),
                  message("No tile of {} has the shape {}.", p.element.str(), textOf(*request_.tile)));
    }
    out_.tile = *chosen;
    const std::string shape = textOf(chosen->shape);
    if (const auto why = whyNot(*chosen, p.accumulator, library_, device_)) {
      if (*why == PassOutcome::DeviceLacksIt) {
        return fail(*why, shape,
                    message("{} has no tile {} of {}: it came with compute capability {}.{}.", device_->name, shape,
                            p.element.str(), chosen->since / 10, chosen->since % 10));
      }
      return fail(*why, shape,
                  message("Tensor cores have the tile {} of {}, but device programs here have no such "
                          "operation yet.",
                          shape, p.element.str()));
    }
    if (!storable(chosen->shape)) {
      return fail(
          PassOutcome::NoLegalWarpTile, shape,
          message("A row of a tile {} of {} has {} bytes, but a tile is stored at multiples of {}: the next one "
                  "would begin between them.",
                  shape, p.result->name, chosen->shape.n * p.accumulator.bits / 8, kTileBits / 8));
    }
    for (const int iterator : {p.i, p.j, p.k}) {
      const Expr& extent = block_.iters[std::size_t(iterator)].domain.extent;
      if (constantOr(extent, 0) > 0) continue;
      return fail(PassOutcome::ExtentsNotDivisible, script::printExpr(extent),
                  message("The extent of {} is {}, no number: whether it is made of whole tiles {} can't be told.",
                          p.names[std::size_t(iterator)], script::printExpr(extent), shape));
    }
    if (!divides(chosen->shape)) {
      const auto extent = [&](int iterator) { return p.extents[std::size_t(iterator)]; };
      return fail(PassOutcome::ExtentsNotDivisible, shape,
                  message("{} × {} × {} ({}, {}, {}) is not made of whole tiles {}; pad_einsum would pad it.",
                          extent(p.i), extent(p.j), extent(p.k), p.names[std::size_t(p.i)], p.names[std::size_t(p.j)],
                          p.names[std::size_t(p.k)], shape));
    }
    out_.outcome = PassOutcome::Matches;
    out_.verdict = message("{} is a multiply-add of {} into {}: a tile {} a time.", block_.name, p.element.str(),
                           p.accumulator.str(), shape);
    return true;
  }

  const BlockNode& block_;
  const TensorizeRequest& request_;
  const intrin::Library* library_;
  const model::Device* device_;
  PatternMatch out_;
  Expr added_;
  std::array<const LoadNode*, 2> loads_{};
};

}  // namespace

PatternMatch matchPattern(const schedule::State& state, ir::Id block, const TensorizeRequest& request,
                          const intrin::Library* library, const model::Device* device) {
  PatternMatch match = Matcher(state, block, request, library, device).run();
  if (match.outcome == PassOutcome::Matches)
    match.lines = fmt::format("b = sch.get_block({})", script::printExpr(ir::stringImm(match.product.name)));
  return match;
}

}  // namespace loom::tune
