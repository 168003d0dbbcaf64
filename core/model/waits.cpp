#include "core/model/waits.h"

#include <algorithm>

#include "core/model/roles.h"

namespace loom::model {
namespace {

using namespace device;

class Waits {
 public:
  explicit Waits(const Kernel& kernel) : kernel_(kernel), roles_(rolesOf(kernel)) {}

  std::vector<WaitInfo> run() {
    walk(kernel_.body, {});
    return std::move(all_);
  }

 private:
  // `around` says of a wait at this place what the loops and conditions around it say.
  void walk(const Stmt& s, WaitInfo around) {
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) walk(child, around);
        return;
      case StmtKind::Block: return walk(as<BlockNode>(s)->body, around);
      case StmtKind::Loop: {
        const std::int64_t extent = ir::constantOr(as<LoopNode>(s)->extent, -1);
        if (extent >= 0) around.perBlock *= double(extent);
        around.varies |= extent < 0;
        return walk(as<LoopNode>(s)->body, around);
      }
      case StmtKind::If: {
        const auto& n = *as<IfNode>(s);
        around.byOneThread |= n.standsForAll;
        around.atMost |= !n.standsForAll && !isOfThreads(kernel_, n.condition);
        walk(n.yes, around);
        return walk(n.no, around);
      }
      case StmtKind::Sync: return wait(*as<SyncNode>(s), std::move(around));
      case StmtKind::Store:
      case StmtKind::Operation: return;
    }
  }

  void wait(const SyncNode& n, WaitInfo info) {
    if (n.does != SyncDoes::Wait) return;
    info.statement = &n;
    for (const WarpRole& role : roles_)
      if (role.has(&n)) info.warps.insert(info.warps.end(), role.warps.begin(), role.warps.end());
    std::ranges::sort(info.warps);
    all_.push_back(std::move(info));
  }

  const Kernel& kernel_;
  const std::vector<WarpRole> roles_;
  std::vector<WaitInfo> all_;
};

}  // namespace

std::vector<WaitInfo> waitsOf(const Kernel& kernel) { return Waits(kernel).run(); }

}  // namespace loom::model
