#include <unordered_map>
#include <unordered_set>

#include "core/device/build.h"
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
        if (a.buffer == b && (a.memory == Memory::Local || a.memory == Memory::Fragment)) copies_[b.get()] = &a;
      }
    }
    for (auto& [buffer, allocation] : copies_) perCopy_[buffer] = allocation->elements;
  }

  Stmt run(const Stmt& body) {
    Stmt result = distribute(body);
    for (auto& [buffer, allocation] : copies_) allocation->elements *= ir::constantOr(extent_, 1);
    return result;
  }

 private:
  bool depends(const Expr& e) const {
    bool found = false;
    ir::forEachExpr(e, [&](const Expr& x) {
      if (x == Expr(var_)) found = true;
      if (auto* l = ir::asLoad(x); l && copies_.count(l->buffer.get())) found = true;
    });
    return found;
  }
  bool ownDepends(const Stmt& s) const {
    if (s->kind == StmtKind::Store && copies_.count(as<StoreNode>(s)->buffer.get())) return true;
    if (s->kind == StmtKind::Wmma) {
      const auto& w = *as<WmmaNode>(s);
      for (const auto* t : {&w.d, &w.a, &w.b, &w.c}) {
        if (t->fragment && copies_.count(t->fragment.get())) return true;
      }
    }
    for (const Expr& e : expressionsOf(s)) {
      if (depends(e)) return true;
    }
    return false;
  }

  // The buffer's copy of this virtual thread starts at var * (elements of one copy).
  Expr shifted(const Buffer& b, const Expr& index) const {
    auto found = perCopy_.find(b.get());
    if (found == perCopy_.end()) return index;
    Expr start = Expr(var_) * intImm(found->second, index->dtype.element());
    if (index->kind == ir::ExprKind::Ramp) {
      const auto& r = *ir::as<ir::RampNode>(index);
      return std::make_shared<ir::RampNode>(start + r.base, r.stride, index->dtype.lanes);
    }
    return start + index;
  }
  Stmt useCopies(const Stmt& s) const {
    class Rewrite : public ir::Mutator {
     public:
      explicit Rewrite(const Interleaving& owner) : owner_(owner) {}

     protected:
      Expr rewriteLoad(const Expr& e) override {
        Expr inner = Mutator::rewriteLoad(e);
        const auto& l = *ir::as<ir::LoadNode>(inner);
        Expr index = owner_.shifted(l.buffer, l.indices[0]);
        return index == l.indices[0] ? inner
                                     : std::make_shared<ir::LoadNode>(l.buffer, std::vector<Expr>{index}, l.dtype);
      }

     private:
      const Interleaving& owner_;
    };
    Rewrite rewrite(*this);
    Stmt own = mapExpressions(s, [&](const Expr& e) { return rewrite.rewrite(e); });
    if (own->kind == StmtKind::Store) {
      const auto& n = *as<StoreNode>(own);
      own = edit<StoreNode>(own, [&](StoreNode& m) { m.index = shifted(n.buffer, n.index); });
    } else if (own->kind == StmtKind::Wmma) {
      own = edit<WmmaNode>(own, [&](WmmaNode& m) {
        for (auto* t : {&m.d, &m.a, &m.b, &m.c}) {
          if (t->fragment) t->index = shifted(t->fragment, t->index);
        }
      });
    }
    return mapChildren(own, [&](const Stmt& child) { return useCopies(child); });
  }

  Stmt repeated(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = ir::makeVar(var_->name, var_->dtype);
    loop->extent = extent_;
    loop->unroll = true;
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
  std::unordered_map<const ir::BufferNode*, std::int64_t> perCopy_;
};

// The buffers whose every use is under this loop: what the loop's virtual threads own.
std::vector<Buffer> ownedBy(const Stmt& loop, const Kernel& kernel) {
  auto count = [](const Stmt& root) {
    std::unordered_map<const ir::BufferNode*, int> uses;
    forEach(root, [&](const Stmt& s) {
      if (s->kind == StmtKind::Store) ++uses[as<StoreNode>(s)->buffer.get()];
      if (s->kind == StmtKind::Wmma) {
        const auto& w = *as<WmmaNode>(s);
        for (const auto* t : {&w.d, &w.a, &w.b, &w.c}) {
          if (t->fragment) ++uses[t->fragment.get()];
        }
      }
      for (const Expr& e : expressionsOf(s)) {
        ir::forEachExpr(e, [&](const Expr& x) {
          if (auto* l = ir::asLoad(x)) ++uses[l->buffer.get()];
        });
      }
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
  std::function<Stmt(const Stmt&)> walk = [&](const Stmt& s) -> Stmt {
    Stmt inner = mapChildren(s, walk);
    if (!inner || inner->kind != StmtKind::Loop || !as<LoopNode>(inner)->virtualThread) return inner;
    const auto& loop = *as<LoopNode>(inner);
    return Interleaving(kernel, loop, ownedBy(s, kernel)).run(loop.body);
  };
  kernel.body = walk(kernel.body);
}

}  // namespace loom::lower
