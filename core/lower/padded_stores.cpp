#include <algorithm>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/lower/device_passes.h"

namespace loom::lower {

using namespace device;

namespace {

const StoreNode* storeOf(const Stmt& s) { return s && s->kind == StmtKind::Store ? as<StoreNode>(s) : nullptr; }

bool isSamePlace(const BufferPlace& a, const BufferPlace& b) {
  return a.buffer == b.buffer && a.lanes == b.lanes && a.byOffset == b.byOffset &&
         std::ranges::equal(a.at, b.at, ir::ExprEqual());
}

}  // namespace

Stmt storePaddedOnce(const Stmt& s) {
  if (s->kind == StmtKind::If) {
    const IfNode& n = *as<IfNode>(s);
    const StoreNode *yes = storeOf(n.yes), *no = storeOf(n.no);
    if (yes && no && yes->value->dtype.lanes > 1 && isSamePlace(yes->to, no->to)) {
      const Expr chosen = ir::ifThenElse(n.condition, yes->value, no->value);
      if (zeroPadded(chosen)) return edit<StoreNode>(n.yes, [&](StoreNode& m) { m.value = chosen; });
    }
  }
  return mapChildren(s, storePaddedOnce);
}

}  // namespace loom::lower
