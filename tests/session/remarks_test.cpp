// What is passed over without being an error is among the problems, as a remark.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/session/with_workbench.h"

namespace loom::session::remarks_test {
namespace {

class RemarksOfWorkbench : public WithWorkbench {
 protected:
  RemarksOfWorkbench() : WithWorkbench({64, 48, 32}, 20000) {}
};

TEST_F(RemarksOfWorkbench, NameAnnotationsThatAKernelDoesNotFollow) {
  ASSERT_NE(bench_.documents().target(), nullptr);
  EXPECT_TRUE(bench_.problems().all().empty());
  bench_.edits().apply("b = sch.get_block(\"Z\")\nsch.annotate(b, \"software_pipeline_stage\", [0, 1])");
  ASSERT_TRUE(wait([&] { return !bench_.problems().all().empty(); }));
  ASSERT_EQ(bench_.problems().all().size(), 1U);
  const Problem& remark = bench_.problems().all().front();
  EXPECT_EQ(remark.kind, Problem::Kind::kRemark);
  EXPECT_EQ(remark.error.message.english(),
            "the annotation \"software_pipeline_stage\" of block Z has no effect on the kernel");
  EXPECT_EQ(remark.error.subjects.size(), 1U);
  EXPECT_EQ(remark.node, bench_.navigation().current());
  bench_.edits().undo();
  ASSERT_TRUE(wait([&] { return bench_.problems().all().empty(); })) << "it is of the states that have the annotation";
}

}  // namespace
}  // namespace loom::session::remarks_test
