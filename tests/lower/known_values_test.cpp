// Statements simplified by the ranges of their loops.
#include "core/lower/known_values.h"

#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"

namespace loom::lower::known_values_test {
namespace {

using namespace device;

const Var kVar = ir::makeVar("i");

Stmt loopOf(std::int64_t extent, const Expr& value) {
  auto store = std::make_shared<StoreNode>();
  store->to = {ir::makeBuffer(ir::Id{1, 1}, "B", DType::Int(32), {ir::intImm(64)}), {kVar}};
  store->value = value;
  auto loop = std::make_shared<LoopNode>();
  loop->var = kVar;
  loop->extent = ir::intImm(extent);
  loop->body = store;
  return loop;
}
Expr valueIn(const Stmt& loop) { return as<StoreNode>(as<LoopNode>(loop)->body)->value; }

// Turns of a pipeline share their loops' variables and their expressions.
TEST(KnownValues, AreThoseOfTheLoopAround) {
  const Expr shared = ir::minOf(kVar, ir::intImm(5));
  KnownValues values;
  EXPECT_EQ(valueIn(values.simplified(loopOf(4, shared))), Expr(kVar));
  EXPECT_EQ(valueIn(values.simplified(loopOf(4, shared))), Expr(kVar));
  EXPECT_TRUE(ir::structuralEqual(valueIn(values.simplified(loopOf(8, shared))), shared));
  EXPECT_EQ(valueIn(values.simplified(loopOf(6, shared))), Expr(kVar));
}

TEST(KnownValues, LeaveOutBranchesThatAreNeverTaken) {
  KnownValues values;
  auto branch = std::make_shared<IfNode>();
  branch->condition = ir::lt(kVar, ir::intImm(4));
  branch->yes = as<LoopNode>(loopOf(4, kVar))->body;
  const Stmt taken = values.simplified(edit<LoopNode>(loopOf(4, kVar), [&](LoopNode& n) { n.body = branch; }));
  EXPECT_EQ(as<LoopNode>(taken)->body->kind, StmtKind::Store);
  branch->condition = ir::le(ir::intImm(4), kVar);
  EXPECT_EQ(values.simplified(edit<LoopNode>(loopOf(4, kVar), [&](LoopNode& n) { n.body = branch; })), nullptr);
}

}  // namespace
}  // namespace loom::lower::known_values_test
