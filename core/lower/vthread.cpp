#include <unordered_map>
#include <unordered_set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"

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
        if (a.buffer == b && !isVisible(a.memory)) copies_[b.get()] = &a;
      }
    }
  }

  Stmt run(const Stmt& body) {
    Stmt result = distribute(body);
    const std::int64_t count = ir::constantOr(extent_, 1);
    for (auto& [buffer, allocation] : copies_) {
      allocation->elements *= count;
      allocation->versions.insert(allocation->versions.begin(), count);
    }
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

  // The virtual thread's own copy: one more index, in front.
  BufferPlace ownCopy(BufferPlace place) const {
    if (copies_.count(place.buffer.get())) place.at.insert(place.at.begin(), Expr(var_));
    return place;
  }
  Stmt useCopies(const Stmt& s) const {
    class Rewrite : public ir::Mutator {
     public:
      explicit Rewrite(const Interleaving& owner) : owner_(owner) {}

     protected:
      Expr rewriteLoad(const Expr& e) override {
        Expr inner = Mutator::rewriteLoad(e);
        const auto& l = *ir::as<ir::LoadNode>(inner);
        if (!owner_.copies_.count(l.buffer.get())) return inner;
        std::vector<Expr> at = l.indices;
        at.insert(at.begin(), Expr(owner_.var_));
        return std::make_shared<ir::LoadNode>(l.buffer, std::move(at), l.dtype);
      }

     private:
      const Interleaving& owner_;
    };
    Rewrite rewrite(*this);
    Stmt own = mapExpressions(s, [&](const Expr& e) { return rewrite.rewrite(e); });
    if (own->kind == StmtKind::Store) {
      own = edit<StoreNode>(own, [&](StoreNode& n) { n.to = ownCopy(n.to); });
    } else if (own->kind == StmtKind::Operation) {
      own = edit<OperationNode>(own, [&](OperationNode& n) {
        for (BufferPlace& place : n.places) place = ownCopy(place);
      });
    }
    return mapChildren(own, [&](const Stmt& child) { return useCopies(child); });
  }

  Stmt repeated(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = ir::makeVar(var_->name, var_->dtype);
    loop->extent = extent_;
    loop->use = LoopUse::Unrolled;
    loop->body = device::substitute(useCopies(s), var_, loop->var);
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
  std::unordered_map<const ir::BufferNode*, Allocation*> copies_;
};

// The buffers whose every use is under this loop: what the loop's virtual threads own.
std::vector<Buffer> ownedBy(const Stmt& loop, const Kernel& kernel) {
  auto count = [](const Stmt& root) {
    std::unordered_map<const ir::BufferNode*, int> uses;
    forEach(root, [&](const Stmt& s) {
      for (const MemoryEffect& effect : effectsOf(s).memory) ++uses[effect.place.buffer.get()];
      return true;
    });
    return uses;
  };
  auto inside = count(loop), all = count(kernel.body);
  std::vector<Buffer> owned;
  for (const Allocation& a : kernel.allocations) {
    auto found = inside.find(a.buffer.get());
    if (found != inside.end() && found->second == all[a.buffer.get()]) owned.push_back(a.buffer);
  }
  return owned;
}

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
