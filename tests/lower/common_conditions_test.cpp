// Conditions that stand once around what they guard.
#include "core/lower/common_conditions.h"

#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/ir/build.h"

namespace loom::lower::common_conditions_test {
namespace {

using namespace device;
using ir::intImm;

const Buffer kFlag = ir::makeBuffer(ir::Id{1, 1}, "flag", DType::Int(32), {intImm(1)});
const Buffer kOut = ir::makeBuffer(ir::Id{1, 2}, "out", DType::Int(32), {intImm(1)});

Stmt underTheFlag(const Buffer& to) {
  auto store = std::make_shared<StoreNode>();
  store->to = {to, {intImm(0)}};
  store->value = intImm(0);
  auto guarded = std::make_shared<IfNode>();
  guarded->condition = ir::lt(intImm(0), ir::load(kFlag, {intImm(0)}));
  guarded->yes = store;
  return guarded;
}

Stmt both(const Stmt& first, const Stmt& second) {
  auto all = std::make_shared<SeqNode>();
  all->stmts = {first, second};
  return all;
}

TEST(CommonConditions, StandAroundWhatTheyGuard) {
  const Stmt gathered = gatherConditions(both(underTheFlag(kOut), underTheFlag(kOut)));
  ASSERT_EQ(gathered->kind, StmtKind::If);
  EXPECT_EQ(as<IfNode>(gathered)->yes->kind, StmtKind::Seq);
}

// The second statement isn't executed once the first has taken the flag down.
TEST(CommonConditions, StayWhereTheKernelWritesWhatTheyRead) {
  const Stmt gathered = gatherConditions(both(underTheFlag(kFlag), underTheFlag(kOut)));
  ASSERT_EQ(gathered->kind, StmtKind::Seq);
  for (const Stmt& s : as<SeqNode>(gathered)->stmts) EXPECT_EQ(s->kind, StmtKind::If);
}

}  // namespace
}  // namespace loom::lower::common_conditions_test
