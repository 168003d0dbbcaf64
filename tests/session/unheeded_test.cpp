#include "app/session/unheeded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/code/view/derived.h"
#include "tests/document/scheduled.h"

namespace loom::workbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What is derived of the last state.
std::shared_ptr<const Derived> after(const std::string& lines) {
  const document::Target target = document::scheduled(lines);
  return derivedOf(deriveInput(target.history, target.history.current()));
}

const std::string kLoops = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

std::vector<std::string> markedIn(const std::vector<std::string>& lines,
                                  const std::vector<std::vector<std::string>>& marks) {
  std::vector<std::string> marked;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (!marks[i].empty()) marked.push_back(lines[i]);
  return marked;
}

TEST(Unheeded, IsOnTheStepTheLoopAndTheLine) {
  const auto derived = after(kLoops + "sch.annotate(k, \"mine\", 1)");
  ASSERT_EQ(derived->stepRemarks.size(), 1U);
  EXPECT_THAT(derived->stepRemarks[0].text, HasSubstr("\"mine\" of loop k"));
  std::vector<std::string> rows;
  for (const NestRow& row : derived->nest.rows)
    if (!row.unheeded.empty()) rows.push_back(row.name);
  EXPECT_THAT(rows, ElementsAre("k"));
  EXPECT_THAT(markedIn(derived->script, derived->scriptMeaning.unheeded), ElementsAre(HasSubstr("\"mine\"")));
  EXPECT_THAT(markedIn(derived->cuda, derived->cudaMeaning.unheeded), ElementsAre(HasSubstr("for (int k")));
}

TEST(Unheeded, OfABlockIsWhereItsAnnotationStands) {
  const auto derived = after(kLoops + "sch.annotate(b, \"mine\", 1)");
  EXPECT_THAT(markedIn(derived->script, derived->scriptMeaning.unheeded), ElementsAre(HasSubstr("\"mine\"")));
}

TEST(Unheeded, IsTheStepsThatBroughtItOnly) {
  const auto derived = after(kLoops + "sch.annotate(k, \"mine\", 1)\nsch.unroll(j)\nsch.annotate(i, \"other\", 1)");
  EXPECT_EQ(derived->unheeded.size(), 2U);
  ASSERT_EQ(derived->stepRemarks.size(), 1U);
  EXPECT_THAT(derived->stepRemarks[0].text, HasSubstr("other"));
}

TEST(Unheeded, IsSaidOfWhatIsNoKernelYet) {
  const auto derived = after(kLoops + "sch.annotate(k, \"mine\", 1)\nsch.cache_write(b, 0, \"wmma.accumulator\")");
  ASSERT_TRUE(derived->kernel.problem) << "a fragment is written element by element";
  ASSERT_EQ(derived->unheeded.size(), 1U);
  EXPECT_TRUE(derived->stepRemarks.empty()) << "the step before brought it";
  EXPECT_THAT(markedIn(derived->script, derived->scriptMeaning.unheeded), ElementsAre(HasSubstr("\"mine\"")));
}

TEST(Unheeded, OfWhatTheKernelFollowsThereIsNothing) {
  const auto derived = after(kLoops + "sch.unroll(k)");
  EXPECT_THAT(derived->unheeded, IsEmpty());
  EXPECT_THAT(derived->scriptMeaning.unheeded, IsEmpty());
  EXPECT_THAT(unheededIn(document::KernelText{}), IsEmpty());
}

}  // namespace
}  // namespace loom::workbench
