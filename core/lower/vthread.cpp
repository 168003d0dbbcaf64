#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"
#include "core/lower/versions.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::intImm;

// One virtual thread loop at a time, innermost first.
class Interleaving {
 public:
  Interleaving(Kernel& kernel, const LoopNode& loop, const std::vector<Buffer>& owned)
      : var_(loop.var), extent_(loop.extent) {
    for (const Buffer& b : owned) {
      for (Allocation& a : kernel.allocations) {
        if (a.buffer != b || isVisible(a.memory)) continue;
        copies_.insert(b.get());
        allocations_.push_back(&a);
      }
    }
  }

  Stmt run(const Stmt& body) {
    Stmt result = distribute(body);
    const std::int64_t count = ir::constantOr(extent_, 1);
    for (Allocation* allocation : allocations_) multiply(*allocation, count);
    return result;
  }

 private:
  bool ownDepends(const Stmt& s) const {
    for (const MemoryEffect& effect : effectsOf(s).memory)
      if (copies_.count(effect.place.buffer.get())) return true;
    for (const Expr& e : expressionsOf(s)) {
      if (ir::usesVar(e, [&](const ir::VarNode* v) { return v == var_.get(); })) return true;
    }
    return false;
  }

  Stmt repeated(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = ir::makeVar(var_->name, var_->dtype);
    loop->extent = extent_;
    loop->use = LoopUse::Unrolled;
    loop->body = device::substitute(withVersion(s, copies_, var_), var_, loop->var);
    return loop;
  }
  bool anyDepends(const Stmt& s) const {
    bool found = false;
    forEach(s, [&](const Stmt& inner) { return !(found = found || ownDepends(inner)); });
    return found;
  }

  Stmt distribute(const Stmt& s) const {
    if (!anyDepends(s)) return s;
    bool container = s->kind == StmtKind::Seq || s->kind == StmtKind::Block ||
                     ((s->kind == StmtKind::Loop || s->kind == StmtKind::If) && !ownDepends(s));
    if (!container) return repeated(s);
    return mapChildren(s, [&](const Stmt& child) { return distribute(child); });
  }

  Var var_;
  Expr extent_;
  Buffers copies_;                        // those of which each virtual thread has its own
  std::vector<Allocation*> allocations_;  // theirs
};

}  // namespace

void interleaveVirtualThreads(Kernel& kernel) {
  const std::function<Stmt(const Stmt&)> walk = [&](const Stmt& s) -> Stmt {
    Stmt inner = mapChildren(s, walk);
    if (!inner || inner->kind != StmtKind::Loop || as<LoopNode>(inner)->use != LoopUse::Virtual) return inner;
    const auto& loop = *as<LoopNode>(inner);
    return Interleaving(kernel, loop, ownedBy(s, kernel)).run(loop.body);
  };
  kernel.body = walk(kernel.body);
}

}  // namespace loom::lower
