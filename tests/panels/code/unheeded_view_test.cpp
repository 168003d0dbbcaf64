#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/document/scheduled.h"

namespace loom::session::code_unheeded_view_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What is derived of the last state.
std::shared_ptr<const Program> after(const std::string& lines) {
  const document::Target target = document::scheduled(lines);
  return programOf(programInput(target.history, target.history.current()), viewMakers());
}

const std::string kLoops = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

std::vector<std::string> markedIn(const std::vector<std::string>& lines,
                                  const std::vector<std::vector<Message>>& marks) {
  std::vector<std::string> marked;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (!marks[i].empty()) marked.push_back(lines[i]);
  return marked;
}

TEST(Unheeded, IsOnTheStepTheLoopAndTheLine) {
  const auto program = after(kLoops + "sch.annotate(k, \"mine\", 1)");
  ASSERT_EQ(program->stepRemarks.size(), 1U);
  EXPECT_THAT(program->stepRemarks[0].text, HasSubstr("\"mine\" of loop k"));
  std::vector<std::string> rows;
  for (const NestRow& row : nestOf(*program).rows)
    if (!row.unheeded.empty()) rows.push_back(row.name);
  EXPECT_THAT(rows, ElementsAre("k"));
  EXPECT_THAT(markedIn(textsOf(*program).script, textsOf(*program).scriptMeaning.unheeded),
              ElementsAre(HasSubstr("\"mine\"")));
  EXPECT_THAT(markedIn(textsOf(*program).cuda, textsOf(*program).cudaMeaning.unheeded),
              ElementsAre(HasSubstr("for (int k")));
}

TEST(Unheeded, OfABlockIsWhereItsAnnotationStands) {
  const auto program = after(kLoops + "sch.annotate(b, \"mine\", 1)");
  EXPECT_THAT(markedIn(textsOf(*program).script, textsOf(*program).scriptMeaning.unheeded),
              ElementsAre(HasSubstr("\"mine\"")));
}

TEST(Unheeded, IsTheStepsThatBroughtItOnly) {
  const auto program = after(kLoops + "sch.annotate(k, \"mine\", 1)\nsch.unroll(j)\nsch.annotate(i, \"other\", 1)");
  EXPECT_EQ(program->unheeded.size(), 2U);
  ASSERT_EQ(program->stepRemarks.size(), 1U);
  EXPECT_THAT(program->stepRemarks[0].text, HasSubstr("other"));
}

TEST(Unheeded, IsSaidOfWhatIsNoKernelYet) {
  const auto program = after(kLoops + "sch.annotate(k, \"mine\", 1)\nsch.cache_write(b, 0, \"wmma.accumulator\")");
  ASSERT_TRUE(program->kernel.problem) << "a fragment is written element by element";
  ASSERT_EQ(program->unheeded.size(), 1U);
  EXPECT_TRUE(program->stepRemarks.empty()) << "the step before brought it";
  EXPECT_THAT(markedIn(textsOf(*program).script, textsOf(*program).scriptMeaning.unheeded),
              ElementsAre(HasSubstr("\"mine\"")));
}

TEST(Unheeded, OfWhatTheKernelFollowsThereIsNothing) {
  const auto program = after(kLoops + "sch.unroll(k)");
  EXPECT_THAT(program->unheeded, IsEmpty());
  EXPECT_THAT(textsOf(*program).scriptMeaning.unheeded, IsEmpty());
  EXPECT_THAT(unheededIn(document::KernelText{}), IsEmpty());
}

}  // namespace
}  // namespace loom::session::code_unheeded_view_test
