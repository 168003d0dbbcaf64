#include "core/lower/serpentine.h"

#include "core/device/build.h"
#include "core/device/refusal.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/known_values.h"

namespace loom::lower {
namespace {

using namespace ir;
using device::notAKernel;

// The block that asks for the order and is all that two loops have inside, the second right in the first.
struct Rows {
  const ForNode* outer = nullptr;
  const ForNode* inner = nullptr;
  const BlockRealizeNode* realize = nullptr;
};
std::optional<Rows> rowsOf(const Stmt& s) {
  Rows r;
  r.outer = asFor(s);
  r.inner = r.outer ? asFor(r.outer->body) : nullptr;
  r.realize = r.inner ? asRealize(r.inner->body) : nullptr;
  if (!r.realize || !r.realize->block->annotations.count(kSerpentine)) return std::nullopt;
  return r;
}

class OrderCheck {
 public:
  std::optional<Error> error;

  void check(const Stmt& body) {
    forEachStmt(body, [&](const Stmt& s) {
      if (const auto rows = rowsOf(s)) {
        checkRows(*rows);
        return false;
      }
      // One that no two loops are right around.
      const BlockRealizeNode* realize = asRealize(s);
      if (realize && realize->block->annotations.count(kSerpentine)) {
        const BlockNode& block = *realize->block;
        refuse(message("{} of block {} is over two loops with nothing but the block inside, and it has no such two",
                       kSerpentine, block.name),
               {block.id}, message("sch.reorder(…) of its loops, so that two spatial ones are innermost"));
      }
      return true;
    });
  }

 private:
  void refuse(Message why, std::vector<Id> subjects, Message remedy = {}) {
    if (!error) error = notAKernel(std::move(why), std::move(subjects), std::move(remedy)).value();
  }

  void checkRows(const Rows& rows) {
    const BlockNode& block = *rows.realize->block;
    if (textOf(block.annotations.at(kSerpentine)) != "serpentine")
      return refuse(message("{} of block {} is \"serpentine\"", kSerpentine, block.name), {block.id});
    for (const ForNode* loop : {rows.outer, rows.inner}) {
      if (loop->forKind != ForKind::Unrolled || !asInt(loop->extent)) {
        refuse(message("{} of block {} is over two unrolled loops, and {} isn't unrolled", kSerpentine, block.name,
                       loop->var->name),
               {loop->id, block.id}, message("sch.unroll({})", loop->var->name));
      }
      if (const IterVar* iter = summedOver(*loop, *rows.realize)) {
        refuse(message("block {} sums over loop {} ({}): another order would give other bits", block.name,
                       loop->var->name, iter->var->name),
               {loop->id, block.id}, message("sch.reorder(…) of its loops, so that two spatial ones are innermost"));
      }
    }
  }

  // The iterator of the block that isn't spatial and whose value uses the loop; null where there is none.
  static const IterVar* summedOver(const ForNode& loop, const BlockRealizeNode& realize) {
    for (std::size_t i = 0; i < realize.values.size(); ++i) {
      const IterVar& iter = realize.block->iters[i];
      if (iter.type != IterType::Spatial &&
          usesVar(realize.values[i], [&](const VarNode* v) { return v == loop.var.get(); }))
        return &iter;
    }
    return nullptr;
  }
};

// --- the kernel's loops ---

// The loop, unrolled, that a statement is, conditions around it left out; null where it is none.
const device::LoopNode* unrolledLoop(const device::Stmt& s) {
  if (s->kind == device::StmtKind::If) {
    const auto& branch = *device::as<device::IfNode>(s);
    return branch.no ? nullptr : unrolledLoop(branch.yes);
  }
  const auto* loop = s->kind == device::StmtKind::Loop ? device::as<device::LoopNode>(s) : nullptr;
  return loop && loop->unrolled() ? loop : nullptr;
}
bool asksForRows(const device::Stmt& s) {
  if (s->kind == device::StmtKind::If) {
    const auto& branch = *device::as<device::IfNode>(s);
    return !branch.no && asksForRows(branch.yes);
  }
  return s->kind == device::StmtKind::Block && device::as<device::BlockNode>(s)->annotations.count(kSerpentine) > 0;
}

device::Stmt inPairs(const device::Stmt& s, const device::LoopNode& inner, KnownValues& values) {
  const auto& outer = *device::as<device::LoopNode>(s);
  const std::int64_t extent = asInt(outer.extent)->value;
  const DType type = outer.var->dtype;
  const Var pair = makeVar(outer.var->name, type), back = makeVar(inner.var->name, inner.var->dtype);
  const Expr even = Expr(pair) * 2, odd = even + 1;
  const device::Stmt there = device::substitute(outer.body, outer.var, even);
  const std::function<device::Stmt(const device::Stmt&)> turned = [&](const device::Stmt& c) -> device::Stmt {
    if (c.get() != &inner) return device::mapChildren(c, turned);
    return device::edit<device::LoopNode>(c, [&](device::LoopNode& n) {
      n.var = back;
      n.body = device::substitute(inner.body, inner.var, inner.extent - 1 - Expr(back));
    });
  };
  device::Stmt andBack = device::copyOf(device::substitute(turned(outer.body), outer.var, odd));
  // The last of an odd number of rows has none to come back.
  if (extent % 2) {
    auto guard = std::make_shared<device::IfNode>();
    guard->condition = lt(odd, outer.extent);
    guard->yes = andBack;
    andBack = guard;
  }
  return values.simplified(device::edit<device::LoopNode>(s, [&](device::LoopNode& n) {
    n.var = pair;
    n.extent = intImm((extent + 1) / 2, type);
    n.body = device::seq({there, andBack});
  }));
}

}  // namespace

Result<void> checkOrders(const Stmt& s) {
  OrderCheck orders;
  orders.check(s);
  if (orders.error) return Failure(*orders.error);
  return {};
}

device::Stmt serpentineRows(const device::Kernel& kernel) {
  KnownValues values;
  const std::function<device::Stmt(const device::Stmt&)> walk = [&](const device::Stmt& s) -> device::Stmt {
    const device::LoopNode* outer = unrolledLoop(s);
    if (outer && s->kind == device::StmtKind::Loop) {
      const device::LoopNode* inner = unrolledLoop(outer->body);
      if (inner && asksForRows(inner->body)) return inPairs(s, *inner, values);
    }
    return device::mapChildren(s, walk);
  };
  return walk(kernel.body);
}

}  // namespace loom::lower
