// Steps that only kernels made here follow, in what is exported.
#include <gmock/gmock.h>

#include "core/document/export.h"
#include "tests/document/scheduled.h"

namespace loom::document::own_steps_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string kResident = "sch.annotate(sch.get_block(\"C\"), \"tileloom.min_blocks\", 2)\n";

TEST(OwnSteps, PythonHasThemAndSaysWhatTvmMakesOfThem) {
  const Target own = scheduled(kBound + kResident);
  const std::string python = pythonFile(own, own.history.current());
  EXPECT_THAT(python, HasSubstr("\"tileloom.min_blocks\", 2)  # kept by TVM, not heeded\n"));
  EXPECT_THAT(python, HasSubstr("# TVM keeps annotations that begin with \"tileloom.\""));
  const Target plain = scheduled(kBound);
  EXPECT_THAT(pythonFile(plain, plain.history.current()), Not(HasSubstr("tileloom.")));
}

// A lesson's last state, whose sums lie in a warpgroup's registers: TVM takes all of it by other names, and so do we
// again.
TEST(OwnSteps, PythonSaysWhatOfHopperTvmCannotBuild) {
  auto lesson = openTarget({"hopper"}, assets(), environment());
  ASSERT_TRUE(lesson) << lesson.error().message.english();
  const std::string python = pythonFile(*lesson, int(lesson->history.nodes().size()) - 1, environment());
  EXPECT_THAT(python, HasSubstr("# TVM 0.22 has no products of warpgroups (wgmma)"));
  EXPECT_THAT(python,
              HasSubstr("\nT.ptx_wgmma_fill = functools.partial(T.call_extern, \"int32\", \"ptx_wgmma_fill\")\n"));
  EXPECT_THAT(python, HasSubstr("storage_scope=\"local.wgmma\")  # to TVM, local memory of another name\n"));
  EXPECT_THAT(python, ContainsRegex("tensor_intrin=\"wgmma_m64n[^\n]*  # put in place by TVM, which can't build it\n"));
  EXPECT_THAT(python, ContainsRegex("\"tileloom.swizzle\"[^\n]*  # kept by TVM, not heeded\n"));
}

TEST(OwnSteps, PythonSaysThatTvmHasNoMemoryOfClusters) {
  auto own = openFunction(tests::programText("product", {{"M", 128}, {"N", 64}, {"K", 64}}), "product.py");
  ASSERT_TRUE(own);
  ASSERT_FALSE(own->history.apply(0, tests::scheduleText("cluster_slices"), environment(), "steps")->refusal);
  const std::string python = pythonFile(*own, own->history.current());
  EXPECT_THAT(python, HasSubstr("\"shared.cluster\")  # to TVM, shared memory that each block has alone\n"));
  EXPECT_THAT(python, HasSubstr("# TVM 0.22 has no memory that the blocks of a cluster share"));
  EXPECT_THAT(python, Not(HasSubstr("wgmma")));
}

TEST(OwnSteps, AProjectsKernelFollowsThem) {
  const Target own = scheduled(kBound + kResident);
  Bench bench{BenchOptions{}};
  const auto files = exportState(own, own.history.current(), "cuda", bench, environment());
  ASSERT_TRUE(files) << files.error().message.english();
  EXPECT_THAT(files->at(""), HasSubstr(", 2) main_kernel("));
}

}  // namespace
}  // namespace loom::document::own_steps_test
