#include "core/device/build.h"
#include "core/ir/substitute.h"
#include "core/lower/addressing.h"
#include "core/lower/convert.h"
#include "core/lower/device_passes.h"

namespace loom::lower {
namespace {

using namespace device;

// The kernel's buffers with the flat ones that stand for them.
ir::BufferMap flatBuffers(const Kernel& kernel, const GlobalBuffers& globals) {
  ir::BufferMap flat;
  for (const auto& [source, buffer] : globals) flat[source.get()] = buffer;
  for (const Allocation& a : kernel.allocations) flat[a.buffer.get()] = flatBuffer(a.buffer, a.elements);
  return flat;
}

class Flattening {
 public:
  Flattening(const Kernel& kernel, const ir::BufferMap& flat, const std::vector<ir::Symbol>& symbols)
      : addresses_(kernel, symbols, flat), flat_(flat) {}

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
      case StmtKind::Sync: return device::mapExpressions(s, [&](const Expr& e) { return flat(e); });
      case StmtKind::Seq:
      case StmtKind::Block: break;
    }
    return mapChildren(own, [&](const Stmt& child) { return run(child); });
  }

 private:
  Expr flat(const Expr& e) { return addresses_.flat(e); }
  BufferPlace place(const BufferPlace& p) {
    return {flat_.at(p.buffer.get()), {addresses_.offset(p)}, p.lanes, p.byOffset, p.box};
  }

  Addressing addresses_;
  const ir::BufferMap& flat_;
};

}  // namespace

void flatten(Kernel& kernel, const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols) {
  const ir::BufferMap flat = flatBuffers(kernel, globals);
  kernel.body = Flattening(kernel, flat, symbols).run(kernel.body);
  for (Buffer& b : kernel.params) b = flat.at(b.get());
  for (Allocation& a : kernel.allocations) a.buffer = flat.at(a.buffer.get());
  for (Mbarrier& b : kernel.mbarriers) b.buffer = flat.at(b.buffer.get());
  for (TensorMap& m : kernel.maps) m.buffer = flat.at(m.buffer.get());
  takeScalars(kernel, symbols);
}

}  // namespace loom::lower
