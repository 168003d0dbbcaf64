#include "core/lower/barrier_orders.h"

#include <algorithm>
#include <unordered_map>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/device/flow.h"
#include "core/ir/visit.h"
#include "core/lower/shared_accesses.h"

namespace loom::lower {
namespace {

using namespace device;

// Statements, each once. Copied often, so that they lie side by side.
class Statements {
 public:
  void insert(const StmtNode* s) {
    const auto at = std::ranges::lower_bound(all_, s);
    if (at == all_.end() || *at != s) all_.insert(at, s);
  }
  void insert(const Statements& others) {
    for (const StmtNode* s : others.all_) insert(s);
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  bool operator==(const Statements&) const = default;

 private:
  std::vector<const StmtNode*> all_;  // by address
};

// What has happened on the way to a statement.
struct Way {
  Statements since;   // statements with accesses since the last barrier
  Statements passed;  // the last barrier, of each path
  bool operator==(const Way&) const = default;
  void merge(const Way& other) {
    since.insert(other.since);
    passed.insert(other.passed);
  }
};

class Explanation {
 public:
  Explanation(const Kernel& kernel, SharedAccesses& shared, AccessConflicts& conflicts)
      : kernel_(kernel), shared_(shared), conflicts_(conflicts) {
    collect(kernel.body);
  }

  Stmt run() {
    if (barriers_.empty()) return kernel_.body;
    Way way;
    flow(kernel_.body, way, [this](const Stmt& s, Way& at) {
      if (barriers_.contains(s.get())) {
        around_[s.get()].before.insert(at.since);
        at = {};
        at.passed.insert(s.get());
      } else if (statements_.contains(s.get())) {
        at.since.insert(s.get());
        for (const StmtNode* barrier : at.passed) around_[barrier].after.insert(s.get());
      }
    });
    return explained(kernel_.body);
  }

 private:
  // Accesses of a statement, and its place in the order of the walk.
  struct Accessing {
    std::size_t place = 0;
    std::vector<SharedAccess> accesses;
  };
  struct Around {
    Statements before, after;  // those with accesses
  };

  void collect(const Stmt& s) {
    if (!s) return;
    if (const auto& own = shared_.of(s); !own.empty()) {
      Accessing& all = statements_.try_emplace(s.get(), Accessing{statements_.size(), {}}).first->second;
      all.accesses.insert(all.accesses.end(), own.begin(), own.end());
    }
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) collect(child);
        return;
      case StmtKind::Block: return collect(as<BlockNode>(s)->body);
      case StmtKind::Loop: {
        const auto& loop = *as<LoopNode>(s);
        shared_.enter(loop);
        collect(loop.body);
        shared_.leave(loop);
        return;
      }
      case StmtKind::If: {
        const auto& branch = *as<IfNode>(s);
        Expr outer = shared_.enterBranch(branch.condition);
        collect(branch.yes);
        shared_.leaveBranch(std::move(outer));
        return collect(branch.no);
      }
      case StmtKind::Sync:
        if (meetsBlock(effectsOf(s))) barriers_[s.get()] = statements_.size();
        return;
      case StmtKind::Store:
      case StmtKind::Operation: return;
    }
  }

  std::vector<const Accessing*> inOrder(const Statements& statements) const {
    std::vector<const Accessing*> all;
    for (const StmtNode* s : statements) all.push_back(&statements_.at(s));
    std::ranges::sort(all, {}, &Accessing::place);
    return all;
  }

  // `place`: the barrier's among the statements.
  std::vector<OrderedAccesses> ordersOf(const Around& around, std::size_t place) {
    std::vector<OrderedAccesses> orders;
    const auto after = inOrder(around.after);
    for (const Accessing* first : inOrder(around.before)) {
      for (const Accessing* second : after) {
        for (const SharedAccess& a : first->accesses)
          for (const SharedAccess& b : second->accesses)
            order(a, b, first->place < place && place <= second->place, orders);
      }
    }
    return orders;
  }
  // `inTurn`: the barrier stands between both statements, so that they meet in one iteration of the loops around them;
  // else in two that follow each other.
  void order(const SharedAccess& a, const SharedAccess& b, bool inTurn, std::vector<OrderedAccesses>& orders) {
    if (!meetInMemory(a, b) || (!a.write && !b.write)) return;
    OrderedAccesses one{a.buffer->id, a.write, b.write, a.site->origin, b.site->origin};
    // Asked last: a proof costs more than a comparison.
    if (std::ranges::find(orders, one) == orders.end() && meet(a, b, inTurn)) orders.push_back(std::move(one));
  }
  bool meet(const SharedAccess& a, const SharedAccess& b, bool inTurn) {
    const SharedAccess* before = &a;
    SharedAccess earlier;
    for (const auto& [var, extent] : a.site->loops) {
      const bool tells = !inTurn && std::ranges::any_of(a.versions, [&](const Expr& version) {
        return ir::usesVar(version, [&](const ir::VarNode* v) { return v == var.get(); });
      });
      if (!tells) continue;
      earlier = ofIterationBefore(*before, var);
      before = &earlier;
    }
    return conflicts_.conflict(*before, b);
  }

  Stmt explained(const Stmt& s) {
    if (!s) return s;
    if (s->kind != StmtKind::Sync) return mapChildren(s, [this](const Stmt& child) { return explained(child); });
    const auto found = around_.find(s.get());
    if (found == around_.end()) return s;
    return edit<SyncNode>(s, [&](SyncNode& n) { n.orders = ordersOf(found->second, barriers_.at(s.get())); });
  }

  const Kernel& kernel_;
  SharedAccesses& shared_;
  AccessConflicts& conflicts_;
  std::unordered_map<const StmtNode*, Accessing> statements_;  // those with accesses
  std::unordered_map<const StmtNode*, std::size_t> barriers_;  // by barrier: the statements with accesses before it
  std::unordered_map<const StmtNode*, Around> around_;         // by barrier
};

}  // namespace

Stmt explainBarriers(const Kernel& kernel, SharedAccesses& shared, AccessConflicts& conflicts) {
  return Explanation(kernel, shared, conflicts).run();
}

}  // namespace loom::lower
