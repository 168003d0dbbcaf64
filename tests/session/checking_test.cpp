// The user's own states, executed on the CPU.
#include "tests/schedules/schedule_text.h"
#include "tests/session/with_workbench.h"

namespace loom::session::checking_test {
namespace {

struct Checking : WithWorkbench {
  Checking() : WithWorkbench({64, 48, 32}, 20000) {}
  /// What came of the state that the lines make.
  const Result<exec::Report>* after(const std::string& lines) {
    const int node = bench_.edits().apply(lines).node;
    wait([&] { return bench_.checks().of(node) != nullptr; });
    return bench_.checks().of(node);
  }
};

const std::string kShared = tests::scheduleText("shared_rows");

TEST_F(Checking, ARightStateIsVerified) {
  const auto* checked = after(kShared + "sch.bind(sch.get_loops(x)[-1], \"threadIdx.x\")");
  ASSERT_NE(checked, nullptr);
  ASSERT_TRUE(*checked) << checked->error().message.english();
  EXPECT_EQ((*checked)->status, exec::Report::Status::Verified);
  EXPECT_TRUE(bench_.problems().all().empty());
}

// A part of the tile is copied by each of two blocks, and both multiply by all of it. TVM takes the step.
TEST_F(Checking, ALegalStepThatIsWrongIsAProblem) {
  bench_.documents().open("tensor_core");
  ASSERT_TRUE(wait([&] { return bench_.documents().target()->lesson.has_value(); }));
  constexpr int kTensorized = 13;  // chapter
  bench_.navigation().goToChapter(kTensorized);
  const auto* checked = after("sch.bind(l29, \"blockIdx.y\")");
  ASSERT_NE(checked, nullptr);
  ASSERT_TRUE(*checked) << checked->error().message.english();
  EXPECT_EQ((*checked)->status, exec::Report::Status::Faults);
  ASSERT_EQ(bench_.problems().all().size(), 1U);
  EXPECT_EQ(bench_.problems().all()[0].kind, Problem::Kind::kWrong);
  EXPECT_EQ(bench_.problems().all()[0].node, bench_.navigation().current());
  EXPECT_NE(bench_.problems().all()[0].error.message.english().find("never written"), std::string::npos);
  bench_.edits().undo();
  EXPECT_EQ(bench_.problems().all().size(), 1U) << "it says at which step";
}

TEST_F(Checking, AStateThatIsNoKernelRunsInOrder) {
  const auto* checked = after("b = sch.get_block(\"Z\")\nz = sch.cache_write(b, 0, \"shared\")");
  ASSERT_NE(checked, nullptr);
  ASSERT_TRUE(*checked) << checked->error().message.english();
  EXPECT_EQ((*checked)->status, exec::Report::Status::Verified);
}

}  // namespace
}  // namespace loom::session::checking_test
