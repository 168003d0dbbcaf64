// Terms of iterator maps, and how they are written as plain arithmetic again.
#include "core/arith/iter_map.h"

#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {

IterMark makeMark(IterExpr source, Expr extent) {
  return std::make_shared<const IterMarkNode>(IterMarkNode{std::move(source), std::move(extent)});
}

IterSplit makeSplit(IterMark source, Expr lowerFactor, Expr extent, Expr scale) {
  return std::make_shared<const IterSplitNode>(
      IterSplitNode{std::move(source), std::move(lowerFactor), std::move(extent), std::move(scale)});
}

IterSplit withScale(const IterSplitNode& split, Expr scale) {
  return makeSplit(split.source, split.lowerFactor, split.extent, std::move(scale));
}

IterSplit fullSplit(IterMark source) {
  auto one = ir::one(dtypeOf(source->source));
  auto extent = source->extent;
  return makeSplit(std::move(source), one, std::move(extent), one);
}

IterSum makeSum(std::vector<IterSplit> args, Expr base) {
  return std::make_shared<const IterSumNode>(IterSumNode{std::move(args), std::move(base)});
}

ir::DType dtypeOf(const IterExpr& e) {
  if (auto* plain = std::get_if<Expr>(&e)) return (*plain)->dtype;
  if (auto* split = std::get_if<IterSplit>(&e)) return dtypeOf((*split)->source->source);
  return std::get<IterSum>(e)->base->dtype;
}

IterSum toSum(const IterExpr& e) {
  if (auto* sum = std::get_if<IterSum>(&e)) return *sum;
  if (auto* split = std::get_if<IterSplit>(&e)) return makeSum({*split}, ir::zero(dtypeOf(e)));
  return makeSum({}, std::get<Expr>(e));
}

namespace {

// (source // lowerFactor) % extent * scale, with what the mark's extent makes unnecessary left out:
//     all of the mark                    source * scale
//     its upper part                     source // lowerFactor * scale
//     a middle or lower part             source % (lowerFactor * extent) // lowerFactor * scale
Expr splitToExpr(const IterSplitNode& split, Analyzer& analyzer) {
  auto source = normalizeIterMapToExpr(split.source->source, analyzer);
  auto& whole = split.source->extent;
  if (analyzer.canProve(ir::eq(split.extent, whole)) && ir::isConst(split.lowerFactor, 1)) return source * split.scale;
  if (analyzer.canProve(ir::eq(whole, split.lowerFactor * split.extent))) {
    // The one value of a part of extent 1. A whole iterator of extent 1 stays: tensorization, for one, looks for it.
    if (ir::isConst(split.extent, 1) && !ir::isConst(whole, 1)) return ir::zero(split.extent->dtype);
    return ir::floordiv(source, split.lowerFactor) * split.scale;
  }
  auto lower = ir::floormod(source, split.lowerFactor * split.extent);
  return ir::floordiv(lower, split.lowerFactor) * split.scale;
}

}  // namespace

Expr normalizeIterMapToExpr(const IterExpr& e, Analyzer& analyzer) {
  if (auto* plain = std::get_if<Expr>(&e)) return *plain;
  if (auto* split = std::get_if<IterSplit>(&e)) return splitToExpr(**split, analyzer);
  auto& sum = *std::get<IterSum>(e);
  Expr result = ir::intImm(0);
  for (auto& arg : sum.args) result = result + splitToExpr(*arg, analyzer);
  return result + sum.base;
}

Expr normalizeIterMapToExpr(const IterExpr& e) {
  Analyzer analyzer;
  return normalizeIterMapToExpr(e, analyzer);
}

}  // namespace loom::arith
