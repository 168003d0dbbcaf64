#include "app/session/shown_model.h"

#include "tests/session/with_workbench.h"

namespace loom::session::shown_model_test {
namespace {

class ShownModels : public WithWorkbench {
 protected:
  ShownModels() : WithWorkbench({64, 48, 32}, 20000) {}
};

TEST_F(ShownModels, OfTheStateBeforeStayOnShowButArentTheCurrentOnes) {
  ShownModel shown;
  ASSERT_TRUE(wait([&] {
    shown.follow(bench_);
    return shown.model() != nullptr;
  }));
  EXPECT_TRUE(shown.isCurrent());
  EXPECT_EQ(shown.node(), 0);
  const auto first = shown.model();
  ASSERT_FALSE(
      bench_.edits().apply("i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.bind(i, \"blockIdx.x\")").refusal);
  ASSERT_NE(bench_.navigation().current(), 0);
  shown.follow(bench_);
  EXPECT_EQ(shown.model(), first) << "until the other is there";
  EXPECT_FALSE(shown.isCurrent()) << "what it advises isn't for this state";
  ASSERT_TRUE(wait([&] {
    shown.follow(bench_);
    return shown.isCurrent();
  }));
  EXPECT_NE(shown.model(), first);
  EXPECT_EQ(shown.node(), bench_.navigation().current());
}

TEST_F(ShownModels, StayWhileAButtonsStepIsPreviewedAndGoWithTheState) {
  ShownModel held, free;
  ASSERT_TRUE(wait([&] {
    held.follow(bench_);
    free.follow(bench_);
    return held.model() && free.model();
  }));
  const auto first = held.model();
  bench_.preview().show("i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.bind(i, \"blockIdx.x\")");
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->model != nullptr; }));
  held.follow(bench_, ModelBasis::kResources, true);
  free.follow(bench_);
  EXPECT_EQ(held.model(), first);
  EXPECT_TRUE(held.isCurrent()) << "its button is for the state that the preview starts from";
  EXPECT_EQ(free.model(), bench_.preview().step()->model);
  bench_.edits().applyPreview();
  held.follow(bench_, ModelBasis::kResources, true);
  EXPECT_FALSE(held.isCurrent());
  const std::uint64_t opened = bench_.opened();
  bench_.documents().openMatmul({32, 32, 32});
  ASSERT_TRUE(wait([&] { return bench_.opened() != opened; }));
  held.follow(bench_, ModelBasis::kResources, true);
  EXPECT_NE(held.model(), first) << "another program's is never shown";
}

}  // namespace
}  // namespace loom::session::shown_model_test
