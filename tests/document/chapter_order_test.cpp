#include "core/document/chapter_order.h"

#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/time_rows.h"

namespace loom::document::chapter_order_test {
namespace {

Chapter chapter(const std::string& id, const std::string& text) {
  Chapter c;
  c.id = id;
  c.text = {{"en", text}};
  return c;
}

// The unscheduled program; two branches of it with a chapter each, the second of which has another one's state halfway.
//   0 ─ 1 ─ 2 "one"        0 ─ 3 "halfway" ─ 4 "two" (and "remarks")
Target lesson(const std::string& textOfTwo = "") {
  auto target = openFunction(*matmulFunction({64, 64, 64}), "matmul").value();
  target.history.apply(0, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.unroll(k)\nsch.parallel(i)", {});
  target.history.apply(0, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.reorder(j, i)\nsch.vectorize(j)", {});
  Lesson l;
  l.chapters = {chapter("start", "The loop."), chapter("one", "{{measured}}, as {{predicted start}} says."),
                chapter("two", textOfTwo), chapter("remarks", "{{measured two}}"), chapter("halfway", "")};
  target.lesson = l;
  target.chapterNodes = {0, 2, 4, 4, 3};
  return target;
}

TEST(ChapterOrder, TheTextSaysWhatAChapterIsComparedWith) {
  EXPECT_EQ(comparedChapter(*lesson("{{measured start}} became {{measured}}, not {{measured one}}.").lesson, 2), 0);
  EXPECT_EQ(comparedChapter(*lesson("{{blocks start}} blocks").lesson, 2), 1) << "no time is quoted";
  EXPECT_EQ(comparedChapter(*lesson("{{measured halfway}} comes later").lesson, 2), 1);
  EXPECT_EQ(comparedChapter(*lesson("{{measured").lesson, 2), 1);
  EXPECT_EQ(comparedChapter(*lesson().lesson, 0), -1);
}

TEST(ChapterOrder, AFigureIsOfTheChapterThatItNames) {
  const Target target = lesson();
  EXPECT_EQ(figureNode(target, *figureAt("{{predicted one}}"), 2), 2);
  EXPECT_EQ(figureNode(target, *figureAt("{{predicted}}"), 2), 4);
  EXPECT_EQ(figureNode(target, *figureAt("{{predicted halfway}}"), 1), 3) << "a later chapter";
}

TEST(ChapterOrder, AStateIsComparedWithAnotherChaptersEnd) {
  Target target = lesson("{{measured start}}");
  EXPECT_EQ(chapterEndingAt(target, 4), 2) << "the first of two";
  EXPECT_EQ(chapterEndingAt(target, 1), -1);
  EXPECT_EQ(comparedEnd(target, 4), 0);
  EXPECT_EQ(comparedEnd(target, 1), -1) << "in the midst of a chapter";
  EXPECT_EQ(comparedEnd(target, 0), -1);
  EXPECT_EQ(comparedEnd(target, 3), 4) << "the chapter before, though it goes on from here";
  target = lesson();
  EXPECT_EQ(comparedEnd(target, 4), 2);
  target.history.remove(2);
  EXPECT_EQ(comparedEnd(target, 4), 0) << "what was deleted is passed over";
  target.lesson.reset();
  target.chapterNodes.clear();
  EXPECT_EQ(comparedEnd(target, 4), -1);
}

// A chapter that starts anew has no ancestors with a time: the table goes on with the chapter that it is compared with.
TEST(ChapterOrder, SpeedUpsGoAcrossBranches) {
  const Target target = lesson();
  const auto rows = [&](std::map<int, double> times) {
    const auto time = [&](int node) -> std::optional<TimeOn> {
      return times.contains(node) ? std::optional(TimeOn{times[node], "NVIDIA H200"}) : std::nullopt;
    };
    return timeRows(target.history, time, {}, {}, [&](int node) { return comparedEnd(target, node); });
  };
  auto found = rows({{1, 80}, {2, 40}, {4, 10}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].overPrevious, 4);
  EXPECT_EQ(found[2].previous, 2);
  EXPECT_EQ(found[2].overFirst, 8) << "the first on the other branch";
  EXPECT_EQ(found[1].previous, 1);
  EXPECT_EQ(found[0].previous, -1);
  // Two that come before each other by the rules: an end is.
  found = rows({{3, 20}, {4, 10}});
  EXPECT_EQ(found[1].previous, 3);
  EXPECT_EQ(found[0].previous, 4) << "the chapter that it is compared with";
}

}  // namespace
}  // namespace loom::document::chapter_order_test
