// Steps that only kernels made here follow, in what is exported.
#include <gmock/gmock.h>

#include "core/document/export.h"
#include "tests/document/scheduled.h"

namespace loom::document {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kResident = "sch.annotate(sch.get_block(\"C\"), \"tileloom.min_blocks\", 2)\n";

TEST(OwnSteps, PythonHasThemAndSaysWhatTvmMakesOfThem) {
  const Target own = scheduled(kBound + kResident);
  const std::string python = pythonFile(own, own.history.current());
  EXPECT_THAT(python, HasSubstr("\"tileloom.min_blocks\", 2)\n"));
  EXPECT_THAT(python, HasSubstr("# TVM keeps annotations that begin with \"tileloom.\""));
  const Target plain = scheduled(kBound);
  EXPECT_THAT(pythonFile(plain, plain.history.current()), Not(HasSubstr("tileloom.")));
}

TEST(OwnSteps, AProjectsKernelFollowsThem) {
  const Target own = scheduled(kBound + kResident);
  Bench bench{BenchOptions{}};
  const auto files = exportState(own, own.history.current(), "cuda", bench, environment());
  ASSERT_TRUE(files) << files.error().message.english();
  EXPECT_THAT(files->at(""), HasSubstr(", 2) main_kernel("));
}

}  // namespace
}  // namespace loom::document
