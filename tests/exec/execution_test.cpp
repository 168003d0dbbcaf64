// What tests compare results by: integers, too, as the numbers that they are.
#include "tests/exec/execution.h"

#include <gtest/gtest.h>

#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::execution_test {
namespace {

namespace dev = loom::device;

TEST(Execution, OfIntegersIsComparedByTheirValues) {
  const auto function = parse(tests::programText("integers_of_integers", {{"VALUE", "-1 - T.abs(A[vi])"}}));
  const dev::Program right = lower::lower(function).value();
  auto reference = Reference::create(function, 1).value();
  EXPECT_EQ(executionOf(right, reference).wrong, 0);
  const dev::Program off = changed(right, [](const dev::Stmt& s) -> dev::Stmt {
    if (s->kind != dev::StmtKind::Store) return s;
    return dev::edit<dev::StoreNode>(s, [](dev::StoreNode& n) { n.value = n.value - 1; });
  });
  EXPECT_EQ(executionOf(off, reference).wrong, 64);
  EXPECT_EQ(executionOf(off, reference, 1).wrong, 0);
}

}  // namespace
}  // namespace loom::exec::execution_test
