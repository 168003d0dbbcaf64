#include "core/model/roles.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/device/lane_values.h"
#include "core/device/operation.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::model {
namespace {

using namespace device;

bool isAsync(const OperationRow& row) { return row.agent == Agent::CopyEngine || row.agent == Agent::AsyncCopy; }

class Divider {
 public:
  explicit Divider(const Kernel& kernel) : kernel_(kernel), count_(int((kernel.threads() + kLanes - 1) / kLanes)) {}

  std::vector<WarpRole> run() {
    std::vector<bool> all(std::size_t(count_), true);
    parts_.assign(std::size_t(count_), {});
    lists_.assign(std::size_t(count_), {});
    walk(kernel_.body, all);
    // Warps of one part are one role, but for those of them that none of its statements reaches.
    std::map<std::pair<std::vector<bool>, bool>, std::size_t> roleOf;
    std::vector<WarpRole> roles;
    for (int w = 0; w < count_; ++w) {
      const auto& list = lists_[std::size_t(w)];
      const bool works = !divided_ || std::ranges::any_of(list, does);
      const auto [at, fresh] = roleOf.try_emplace({parts_[std::size_t(w)], works}, roles.size());
      if (fresh) roles.emplace_back();
      WarpRole& role = roles[at->second];
      role.warps.push_back(w);
      for (const StmtNode* s : list)
        if (!role.has(s)) role.statements.push_back(s);
    }
    for (WarpRole& role : roles) describe(role);
    return roles;
  }

 private:
  // Moves, computes or synchronises with others; giving registers away does none of it, nor does a meeting of all.
  static bool does(const StmtNode* s) {
    if (s->kind != StmtKind::Sync) return true;
    const auto& sync = *static_cast<const SyncNode*>(s);
    const bool meets = sync.token == Token::BlockBarrier || sync.token == Token::ClusterBarrier ||
                       sync.token == Token::ClusterExchange;
    return sync.does != SyncDoes::FewerRegisters && sync.does != SyncDoes::MoreRegisters &&
           sync.does != SyncDoes::Initialise && !meets;
  }

  // The warps of which a lane finds the condition to have that value; all of them where it isn't known.
  std::vector<bool> where(const std::vector<bool>& among, const Expr& condition, bool holds) const {
    std::vector<bool> found = among;
    for (int w = 0; w < count_; ++w) {
      if (!among[std::size_t(w)]) continue;
      WarpState state;
      state.place(kernel_, 0, w);
      const auto value = state.evaluate(condition);
      if (!value) continue;
      bool any = false;
      for (int lane = 0; lane < kLanes; ++lane)
        any |= (state.threads() >> lane & 1) != 0 && ((*value)[lane] != 0) == holds;
      found[std::size_t(w)] = any;
    }
    return found;
  }

  void walk(const Stmt& s, const std::vector<bool>& warps) {
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) walk(child, warps);
        return;
      case StmtKind::Loop: return walk(as<LoopNode>(s)->body, warps);
      case StmtKind::Block: return walk(as<BlockNode>(s)->body, warps);
      case StmtKind::If: return branches(*as<IfNode>(s), warps);
      default:
        for (int w = 0; w < count_; ++w)
          if (warps[std::size_t(w)]) lists_[std::size_t(w)].push_back(s.get());
    }
  }

  void branches(const IfNode& n, const std::vector<bool>& warps) {
    if (n.standsForAll || !isOfThreads(kernel_, n.condition)) {
      walk(n.yes, warps);
      walk(n.no, warps);
      return;
    }
    const std::vector<bool> yes = where(warps, n.condition, true), no = where(warps, n.condition, false);
    if (n.no) {
      divided_ = true;
      for (std::size_t w = 0; w < warps.size(); ++w)
        if (warps[w]) parts_[w].push_back(yes[w]);
    }
    walk(n.yes, yes);
    walk(n.no, no);
  }

  static void describe(WarpRole& role) {
    for (const StmtNode* s : role.statements) {
      if (s->kind == StmtKind::Operation) {
        const OperationRow& row = *static_cast<const OperationNode*>(s)->row;
        role.multiplies |= row.multiplies();
        role.copies |= isAsync(row);
      } else if (s->kind == StmtKind::Sync) {
        const auto& sync = *static_cast<const SyncNode*>(s);
        const bool sets = sync.does == SyncDoes::FewerRegisters || sync.does == SyncDoes::MoreRegisters;
        if (sets) role.registers = sync.allow;
      }
    }
  }

  const Kernel& kernel_;
  int count_;
  bool divided_ = false;
  std::vector<std::vector<bool>> parts_;  // by warp: the branches that it takes where the kernel has parts
  std::vector<std::vector<const StmtNode*>> lists_;
};

template <class T>
void addOnce(std::vector<T>& all, const T& value) {
  if (std::ranges::find(all, value) == all.end()) all.push_back(value);
}

}  // namespace

bool isOfThreads(const Kernel& kernel, const Expr& condition) {
  if (ir::readsMemory(condition)) return false;
  struct Named : ir::Visitor {
    std::set<const ir::VarNode*> vars;
    void visitVar(const ir::VarNode& v) override { vars.insert(&v); }
  } named;
  named.ir::Visitor::visit(condition);
  return std::ranges::all_of(named.vars, [&](const ir::VarNode* v) {
    return std::ranges::any_of(kernel.threadIdx, [&](const Var& axis) { return axis.get() == v; });
  });
}

bool WarpRole::idle() const {
  return std::ranges::none_of(statements, [](const StmtNode* s) {
    if (s->kind != StmtKind::Sync) return true;
    const auto& sync = *static_cast<const SyncNode*>(s);
    return sync.token == Token::Transfers && sync.does != SyncDoes::Initialise;
  });
}

bool WarpRole::has(const StmtNode* statement) const { return std::ranges::count(statements, statement) > 0; }

bool WarpRole::hasWarp(int warp) const { return std::ranges::count(warps, warp) > 0; }

std::vector<WarpRole> rolesOf(const Kernel& kernel) { return Divider(kernel).run(); }

std::vector<MbarrierUse> mbarriersOf(const Kernel& kernel, const std::vector<WarpRole>& roles) {
  std::vector<MbarrierUse> uses;
  for (int i = 0; i < int(kernel.mbarriers.size()); ++i) uses.emplace_back().number = i;
  for (int r = 0; r < int(roles.size()); ++r) {
    for (const StmtNode* s : roles[std::size_t(r)].statements) {
      if (s->kind == StmtKind::Operation) {
        const auto& n = *static_cast<const OperationNode*>(s);
        if (n.barrier < 0) continue;
        uses[std::size_t(n.barrier)].fedByCluster |= device::blocksThatGet(n) > 1;
        for (std::size_t p = 0; p < n.places.size(); ++p)
          if (n.row->operands[p].written()) addOnce(uses[std::size_t(n.barrier)].filled, n.places[p].buffer);
      } else if (s->kind == StmtKind::Sync) {
        const auto& n = *static_cast<const SyncNode*>(s);
        if (n.barrier < 0) continue;
        MbarrierUse& use = uses[std::size_t(n.barrier)];
        if (n.does == SyncDoes::Wait) addOnce(use.waiting, r);
        if (n.does == SyncDoes::Expect || n.does == SyncDoes::Arrive) addOnce(use.arriving, r);
        use.ofCluster |= n.does == SyncDoes::Arrive && n.target;
        use.bytes = std::max(use.bytes, n.bytes);
      }
    }
  }
  return uses;
}

}  // namespace loom::model
