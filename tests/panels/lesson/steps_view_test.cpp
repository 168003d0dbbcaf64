#include "app/panels/lesson/view/chapter_steps.h"

#include <gmock/gmock.h>

#include "core/document/matmul_function.h"

namespace loom::session::lesson_steps_view_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two chapters that start at the same program; the second has another factor, one step more, and another order.
document::Target lesson() {
  auto target = document::openFunction(*document::matmulFunction({64, 64, 64}), "matmul").value();
  // One after another; returns the state after the last.
  const auto applied = [&](std::initializer_list<const char*> steps) {
    int at = 0;
    std::string before = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n";
    for (const char* step : steps) {
      at = target.history.apply(at, before + step, {})->node;
      before.clear();
    }
    return at;
  };
  const int one = applied({"i0, i1 = sch.split(i, [None, 8])", "sch.unroll(k)", "sch.parallel(j)"});
  const int two =
      applied({"i0, i1 = sch.split(i, [None, 16])", "sch.parallel(j)", "sch.unroll(k)", "sch.vectorize(i1)"});
  document::Lesson l;
  for (const char* id : {"start", "one", "two"}) l.chapters.emplace_back().id = id;
  target.lesson = l;
  target.chapterNodes = {0, one, two};
  return target;
}

TEST(ChapterSteps, AreThoseThatTheOtherChapterDoesNotHave) {
  const ChapterSteps steps = chapterSteps(lesson(), 2);
  EXPECT_EQ(steps.with, 1);
  EXPECT_THAT(steps.lines, ElementsAre(ChapterSteps::Line{false, "i0, i1 = sch.split(i, [None, 8])"},
                                       ChapterSteps::Line{true, "i0, i1 = sch.split(i, [None, 16])"},
                                       ChapterSteps::Line{true, "sch.vectorize(i1)"}))
      << "a step in another place is no other step";
}

TEST(ChapterSteps, AreAllWhereNothingComesBefore) {
  document::Target target = lesson();
  EXPECT_EQ(chapterSteps(target, 1).with, 0);
  EXPECT_EQ(chapterSteps(target, 1).lines.size(), 3U);
  EXPECT_EQ(chapterSteps(target, 0).with, -1);
  EXPECT_THAT(chapterSteps(target, 0).lines, IsEmpty());
  target.chapterNodes[2] = target.chapterNodes[1];
  EXPECT_THAT(chapterSteps(target, 2).lines, IsEmpty()) << "a chapter that only explains";
}

}  // namespace
}  // namespace loom::session::lesson_steps_view_test
