// Parameters with strides and offsets: memory and data by the strides, elements found where they lie.
#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::strides_test {
namespace {

using testing::HasSubstr;
using Status = Report::Status;

// B = A + 1 over 4 × 6 elements, each buffer with what comes after its dtype.
std::string laidOutCopy(const std::string& a, const std::string& b, const std::string& index = "vi, vj") {
  return tests::programText("laid_out_copy", {{"OF_A", a}, {"OF_B", b}, {"INDEX", index}});
}
const std::string kBound = tests::scheduleText("blocks_of_rows", {{"BLOCK", "B"}});

Report reportOf(const std::string& function, const std::string& lines) {
  return check(parse(function), replayed(function, lines).last.module().functions.front()).value();
}

TEST(Strides, EveryLayoutIsVerifiedOverItsOwnElements) {
  for (const char* a : {"", ", strides=(8, 1)", ", strides=(1, 4)", ", elem_offset=16", ", strides=(0, 1)",
                        ", strides=(13, 2), elem_offset=3"}) {
    for (const char* b :
         {"", ", strides=(8, 1)", ", strides=(1, 4)", ", elem_offset=16", ", strides=(13, 2), elem_offset=3"}) {
      for (const std::string& lines : {std::string(), kBound}) {
        const Report r = reportOf(laidOutCopy(a, b), lines);
        EXPECT_EQ(r.status, Status::Verified) << a << b << ": " << describe(r);
        EXPECT_EQ(r.total, 24) << "gaps are no elements";
        EXPECT_EQ(r.compared, 24) << a << b;
      }
    }
  }
}

// A copy inherits its source's strides and offset in the text, as TVM has it; its memory is its own.
TEST(Strides, CopiesOfStridedParametersLieRowByRow) {
  const std::string inShared = kBound + tests::scheduleText("shared_row_and_local_result");
  const std::string whole = "sch.cache_read(sch.get_block(\"B\"), 0, \"global\")\n";
  for (const char* layout : {", strides=(8, 1)", ", strides=(1, 4)", ", elem_offset=16", ", strides=(0, 1)",
                             ", strides=(13, 2), elem_offset=3"}) {
    for (const std::string& lines : {inShared, whole}) {
      const Report r = reportOf(laidOutCopy(layout, std::string(layout) == ", strides=(0, 1)" ? "" : layout), lines);
      EXPECT_EQ(r.status, Status::Verified) << layout << "\n" << lines << describe(r);
    }
  }
}

// S is padded, transposed or shifted by whoever wrote the kernel.
TEST(Strides, AllocationsWithStridesHoldAllOfTheirElements) {
  for (const char* layout : {"strides=(20, 1)", "strides=(1, 18)", "strides=(20, 1), elem_offset=8", "elem_offset=8"}) {
    const Report r = reportOf(tests::programText("transposed_in_shared", {{"LAYOUT", layout}}), "");
    EXPECT_EQ(r.status, Status::Verified) << layout << ": " << describe(r);
  }
}

TEST(Strides, ReadsBesideTheMemoryAreFound) {
  const Report r = reportOf(laidOutCopy(", strides=(8, 1)", "", "vi, vj + 3"), kBound);
  EXPECT_NE(r.status, Status::Verified) << describe(r);
  EXPECT_THAT(describe(r).english(), HasSubstr("reads A[30], which has 30 elements")) << "the last row ends the memory";
}

TEST(Strides, AnotherPlaceThanTheOriginalsIsNoComparison) {
  auto report = check(parse(laidOutCopy("", "")), parse(laidOutCopy("", ", strides=(8, 1)")));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "NotComparable");
}

TEST(Strides, ElementsBeforeThePointerAreRefused) {
  auto checker = Checker::create(parse(laidOutCopy(", strides=(-8, 1)", "")));
  ASSERT_FALSE(checker);
  EXPECT_THAT(checker.error().message.english(), HasSubstr("before its pointer"));
}

}  // namespace
}  // namespace loom::exec::strides_test
