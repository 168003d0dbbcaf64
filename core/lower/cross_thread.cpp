#include <fmt/format.h>

#include <unordered_map>

#include "core/ir/visit.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

// Follows bound loops' variables through the iterators of nested blocks.
class CrossThreadSearch : public Visitor {
 public:
  std::optional<Error> found;

 protected:
  void visitFor(const ForNode& n) override {
    bool bound = n.forKind == ForKind::ThreadBinding && (isThreadIdx(n.thread) || isBlockIdx(n.thread));
    if (bound && !isConst(n.extent, 1)) from_[n.var.get()] = &n;
    visit(n.body);
  }
  void visitRealize(const BlockRealizeNode& n) override {
    const BlockNode& block = *n.block;
    for (std::size_t i = 0; i < block.iters.size(); ++i) {
      const ForNode* loop = nullptr;
      forEachExpr(n.values[i], [&](const Expr& e) {
        auto* v = asVar(e);
        if (auto at = v ? from_.find(v) : from_.end(); at != from_.end()) loop = at->second;
      });
      if (!loop) continue;
      from_[block.iters[i].var.get()] = loop;
      if (block.iters[i].type == IterType::Reduce && !found) found = errorOf(*loop, n);
    }
    if (block.init) visit(block.init);
    visit(block.body);
  }

 private:
  Error errorOf(const ForNode& loop, const BlockRealizeNode& n) const {
    const BlockNode& block = *n.block;
    std::string instead;
    for (std::size_t i = 0; i < block.iters.size(); ++i) {
      if (block.iters[i].type != IterType::Spatial) continue;
      forEachExpr(n.values[i], [&](const Expr& e) {
        auto* v = asVar(e);
        if (v && !from_.count(v)) instead = v->name;
      });
    }
    return notAKernel(
               message("loop {} is bound to {}, but block {} sums over it: all threads would add to one element "
                       "at once (a reduction across threads isn't generated here)",
                       loop.var->name, loop.thread, block.name),
               {loop.id, block.id},
               instead.empty()
                   ? message("bind a loop that {} doesn't sum over, instead of {}", block.name, loop.var->name)
                   : message("sch.bind({}, \"{}\") instead: {} doesn't sum over it", instead, loop.thread, block.name))
        .value();
  }

  std::unordered_map<const VarNode*, const ForNode*> from_;
};

}  // namespace

Result<void> refuseReductionsAcrossThreads(const Stmt& body) {
  CrossThreadSearch search;
  search.visit(body);
  if (search.found) return Failure(*search.found);
  return {};
}

}  // namespace loom::lower
