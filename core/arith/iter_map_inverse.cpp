// The inverse of an iterator map: outputs are carried back from sums to splits to marks to variables.
//
//     z = (i * 8 + j) // 4 and w = (i * 8 + j) % 4, j in [0, 8):   y = z * 4 + w,   i = y // 8,   j = y % 8
#include <algorithm>
#include <unordered_set>

#include "core/arith/iter_map.h"

namespace loom::arith {
namespace {

using Node = const void*;  // an IterSplitNode or IterSumNode

class Inverter {
 public:
  Result<VarTable<Expr>> invert(const std::vector<IterSum>& indices, const std::vector<Expr>& outputs) {
    for (auto& sum : indices) visit(sum);
    for (std::size_t i = 0; i < indices.size(); ++i) values_[indices[i].get()] = outputs[i];
    for (auto it = postOrder_.rbegin(); it != postOrder_.rend(); ++it) {
      const bool isSum = std::holds_alternative<IterSum>(*it);
      const bool ok = isSum ? carryToSplits(*std::get<IterSum>(*it)) : carryToSource(*std::get<IterSplit>(*it));
      // TVM takes the source of a split for a variable without a look.
      if (!ok)
        return fail(isSum ? "InternalError" : "TypeError",
                    message("the iterator map is not a plain fusion of its iterators"), Forbids::Tvm);
    }
    return std::move(inverse_);
  }

 private:
  // Children before parents, so that the reverse carries a value on once all its uses have added to it.
  void visit(const IterExpr& e) {
    if (std::holds_alternative<Expr>(e)) return;
    auto* sum = std::get_if<IterSum>(&e);
    Node node = sum ? static_cast<Node>(sum->get()) : std::get<IterSplit>(e).get();
    if (!values_.emplace(node, ir::intImm(0)).second) return;
    if (sum)
      for (auto& arg : (*sum)->args) visit(arg);
    else
      visit(std::get<IterSplit>(e)->source->source);
    postOrder_.push_back(e);
  }

  bool carryToSplits(const IterSumNode& sum) {
    auto input = values_.at(&sum) - sum.base;
    if (sum.args.size() == 1) {
      auto& only = *sum.args[0];
      if (!analyzer_.canProveEqual(only.scale, ir::intImm(1)) && !analyzer_.canProveEqual(only.scale, ir::intImm(-1)))
        return false;
      auto& value = values_.at(&only);
      value = (value + input) * only.scale;
      return true;
    }
    Expr expected = sum.args.empty() ? nullptr : sum.args.back()->scale;
    for (auto arg = sum.args.rbegin(); arg != sum.args.rend(); ++arg) {
      if (!analyzer_.canProveEqual((*arg)->scale, expected)) return false;
      expected = expected * (*arg)->extent;
    }
    for (auto arg = sum.args.rbegin(); arg != sum.args.rend(); ++arg) {
      auto part = ir::floordiv(input, (*arg)->scale);
      if (arg + 1 != sum.args.rend()) part = ir::floormod(part, (*arg)->extent);
      auto& value = values_.at(arg->get());
      value = value + part;
    }
    return true;
  }

  bool carryToSource(const IterSplitNode& split) {
    auto input = values_.at(&split) * split.lowerFactor;
    auto& source = split.source->source;
    if (auto* sum = std::get_if<IterSum>(&source)) {
      auto& value = values_.at(sum->get());
      value = value + input;
      return true;
    }
    auto* plain = std::get_if<Expr>(&source);
    if (!plain || !ir::asVar(*plain)) return false;
    auto var = ir::varOf(*plain);
    auto* known = inverse_.find(var.get());
    inverse_.set(var, known ? *known + input : input);
    return true;
  }

  Analyzer analyzer_;
  std::vector<IterExpr> postOrder_;
  std::unordered_map<Node, Expr> values_;
  VarTable<Expr> inverse_;
};

}  // namespace

Result<VarTable<Expr>> inverseAffineIterMap(const std::vector<IterSum>& indices, const std::vector<Expr>& outputs) {
  return Inverter().invert(indices, outputs);
}

}  // namespace loom::arith
