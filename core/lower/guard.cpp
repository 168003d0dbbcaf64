#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/lower/bulk_stores.h"
#include "core/lower/device_passes.h"
#include "core/lower/execution_group.h"
#include "core/lower/transfers.h"

namespace loom::lower {
namespace {

using namespace device;

// A statement that is still to be guarded on `axes`. Statements without effect on other threads need no guard but bear
// none either: a thread's own registers must be right on every thread.
struct Guarded {
  Stmt stmt;
  Axes axes;
};

class GuardPlacement {
 public:
  explicit GuardPlacement(const Kernel& kernel) : kernel_(kernel) {}

  Stmt close(const Guarded& g) const {
    if (g.axes.none() || !g.stmt) return g.stmt;
    auto node = std::make_shared<IfNode>();
    node->standsForAll = true;
    node->condition = firstOf(kernel_, g.axes);
    node->yes = g.stmt;
    return node;
  }

  Guarded place(const Stmt& s) const {
    if (!s) return {};
    switch (s->kind) {
      case StmtKind::Store: return bare<StoreNode>(s);
      case StmtKind::Operation: return bare<OperationNode>(s);
      case StmtKind::Sync: return bare<SyncNode>(s);
      case StmtKind::Seq: {
        std::vector<Guarded> children;
        bool same = true;
        for (const Stmt& child : as<SeqNode>(s)->stmts) {
          children.push_back(place(child));
          same = same && children.back().axes == children.front().axes;
        }
        std::vector<Stmt> stmts;
        for (std::size_t from = 0; from < children.size();) {
          const std::size_t to = same ? from + 1 : endOfRun(children, from);
          std::vector<Stmt> run;
          for (; from < to; ++from) run.push_back(children[from].stmt);
          const Axes axes = children[to - 1].axes;
          const Stmt all = seq(std::move(run));
          stmts.push_back(same ? all : close({all, axes}));
          // The other lanes don't wait for what is yet to come while one still asks for it.
          if (!same && axes.bits & 1 && hasTransfers(all)) stmts.push_back(warpBarrier());
        }
        return {seq(std::move(stmts)), same && !children.empty() ? children.front().axes : Axes{}};
      }
      case StmtKind::Loop:
      case StmtKind::Block: {
        Axes axes;
        Stmt whole = mapChildren(s, [&](const Stmt& child) {
          Guarded g = place(child);
          axes = g.axes;
          return g.stmt;
        });
        return {whole, axes};
      }
      case StmtKind::If: {
        const auto& n = *as<IfNode>(s);
        Guarded yes = place(n.yes);
        if (!n.no) return {edit<IfNode>(s, [&](IfNode& m) { m.yes = yes.stmt; }), yes.axes};
        Guarded no = place(n.no);
        bool same = yes.axes == no.axes;
        return {edit<IfNode>(s,
                             [&](IfNode& m) {
                               m.yes = same ? yes.stmt : close(yes);
                               m.no = same ? no.stmt : close(no);
                             }),
                same ? yes.axes : Axes{}};
      }
    }
    return {s, {}};
  }

 private:
  // The copies of the copy engine that one thread asks for, and what it announces of them, stand under one condition.
  static std::size_t endOfRun(const std::vector<Guarded>& children, std::size_t from) {
    const auto asks = [&](const Guarded& g) {
      return g.stmt && !g.axes.none() && g.axes == children[from].axes &&
             (g.stmt->kind == StmtKind::Sync || isOfCopyEngine(g.stmt));
    };
    std::size_t to = from + 1;
    if (asks(children[from]))
      while (to < children.size() && asks(children[to])) ++to;
    return to;
  }
  template <class Node>
  static Guarded bare(const Stmt& s) {
    return {edit<Node>(s, [](Node& n) { n.uncovered = {}; }), s->uncovered};
  }

  const Kernel& kernel_;
};

}  // namespace

Expr firstOf(const Kernel& kernel, Axes axes) {
  Expr all;
  if (axes.bits & Axes::kFurtherWarps) all = ir::lt(kernel.threadIdx[0], ir::intImm(kWarpLanes));
  if (axes.bits & Axes::kFurtherLanes)
    all = ir::eq(ir::floormod(kernel.threadIdx[0], ir::intImm(kWarpLanes)), ir::intImm(0));
  for (int bit = 0; bit < 6; ++bit) {
    if (!(axes.bits >> bit & 1)) continue;
    const Expr index = bit < 3 ? kernel.threadIdx[bit] : kernel.blockIdx[bit - 3];
    const Expr first = ir::eq(index, ir::intImm(0));
    all = all ? ir::andOf(all, first) : first;
  }
  return all;
}

Stmt placeGuards(const Kernel& kernel) {
  GuardPlacement placement(kernel);
  return placement.close(placement.place(kernel.body));
}

}  // namespace loom::lower
