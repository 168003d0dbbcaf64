#include <unordered_map>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/addressing.h"
#include "core/lower/convert.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

class Flattening {
 public:
  Flattening(const Kernel& kernel, const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols)
      : addresses_(kernel, symbols), rename_(flat_) {
    for (const auto& [source, flat] : globals) flat_[source.get()] = flat;
    for (const Allocation& a : kernel.allocations) flat_[a.buffer.get()] = flatBuffer(a.buffer, a.elements);
  }

  Buffer of(const Buffer& b) const { return flat_.at(b.get()); }

  Stmt run(const Stmt& s) {
    if (!s) return s;
    Stmt own = s;
    switch (s->kind) {
      case StmtKind::Loop:
        own = device::mapExpressions(s, [&](const Expr& e) { return flat(e); });
        addresses_.enter(*as<LoopNode>(s));
        break;
      case StmtKind::If: own = device::mapExpressions(s, [&](const Expr& e) { return flat(e); }); break;
      case StmtKind::Store:
        return edit<StoreNode>(s, [&](StoreNode& n) {
          n.to = place(n.to);
          n.value = flat(n.value);
        });
      case StmtKind::Operation:
        return edit<OperationNode>(s, [&](OperationNode& n) {
          for (BufferPlace& p : n.places) p = place(p);
          for (Expr& value : n.values) value = flat(value);
        });
      case StmtKind::Seq:
      case StmtKind::Block:
      case StmtKind::Sync: break;
    }
    return mapChildren(own, [&](const Stmt& child) { return run(child); });
  }

 private:
  Expr flat(const Expr& e) { return rename_.rewrite(addresses_.flat(e)); }
  BufferPlace place(const BufferPlace& p) {
    return {of(p.buffer), {rename_.rewrite(addresses_.offset(p))}, p.lanes, p.byOffset};
  }

  using FlatBuffers = std::unordered_map<const ir::BufferNode*, Buffer>;
  class Rename : public ir::Mutator {
   public:
    explicit Rename(const FlatBuffers& flat) : flat_(flat) {}
    Buffer rewriteBuffer(const Buffer& b) override { return flat_.at(b.get()); }

   private:
    const FlatBuffers& flat_;
  };

  Addressing addresses_;
  FlatBuffers flat_;
  Rename rename_;
};

}  // namespace

void flatten(Kernel& kernel, const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols) {
  Flattening flattening(kernel, globals, symbols);
  kernel.body = flattening.run(kernel.body);
  for (Buffer& b : kernel.params) b = flattening.of(b);
  for (Allocation& a : kernel.allocations) a.buffer = flattening.of(a.buffer);
  takeScalars(kernel, symbols);
}

}  // namespace loom::lower
