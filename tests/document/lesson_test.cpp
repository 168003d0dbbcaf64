#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "core/document/pointer.h"
#include "tests/compile/scratch.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document::lesson_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A lesson folder that is in order, until a test spoils it.
class LessonFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder() / "steps");
    put("function.py", kProduct);
    put("steps/one.sched.py", kBound);
    put("en.md", "# Title\n\n## start\n\nThe loop.\n\n## one\n\nBound.\n");
    put("lesson.json", R"({"title": {"en": "T", "zh": "题"}, "chapters": [{"id": "start", "title": "S"},
        {"id": "one", "title": {"en": "O"}, "steps": "steps/one.sched.py"}]})");
  }
  fs::path folder() const { return scratch / "lessons/mine"; }
  void put(const std::string& name, const std::string& text) {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  Error error() const {
    auto lesson = loadLesson(folder());
    EXPECT_FALSE(lesson);
    return lesson ? Error{} : lesson.error();
  }
  Scratch scratch;
};

TEST_F(LessonFolder, Loads) {
  auto lesson = loadLesson(folder());
  ASSERT_TRUE(lesson) << lesson.error().message.english();
  EXPECT_EQ(lesson->chapters.size(), 2u);
  EXPECT_EQ(in(lesson->chapters[1].text, "zh"), "Bound.") << "English where there is no Chinese";
  auto target = openLesson(*lesson, environment());
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_EQ(target->chapterNodes, (std::vector<int>{0, 3}));
  EXPECT_EQ(lessonNames(scratch.path()), std::vector<std::string>{"mine"});
  EXPECT_TRUE(openTarget({"mine"}, scratch.path(), environment()));
}

TEST_F(LessonFolder, SaysWhoseStepsWereChanged) {
  auto target = openLesson(*loadLesson(folder()), environment());
  EXPECT_TRUE(hasLessonsSteps(*target, 0));
  EXPECT_TRUE(hasLessonsSteps(*target, 1));
  // More at a chapter's end is no change of what led there.
  const int end = target->chapterNodes[1];
  ASSERT_TRUE(target->history.apply(end, "more = sch.get_block(\"Z\")", environment()));
  EXPECT_TRUE(hasLessonsSteps(*target, 1));
  const int first = target->history.path(end)[1];
  auto edited = target->history.edit(first, "i0, i1 = sch.split(i, [None, 16])", environment());
  ASSERT_TRUE(edited) << edited.error().message.english();
  target->history = edited->history;
  EXPECT_FALSE(hasLessonsSteps(*target, 1));
  EXPECT_TRUE(hasLessonsSteps(*target, 0));
}

TEST_F(LessonFolder, WithoutAFileNamesIt) {
  fs::remove(folder() / "steps/one.sched.py");
  EXPECT_EQ(error().code, "NoSuchFile");
  EXPECT_THAT(error().place.file, HasSubstr("one.sched.py"));
  fs::remove(folder() / "function.py");
  EXPECT_THAT(error().place.file, HasSubstr("function.py"));
  fs::remove(folder() / "lesson.json");
  EXPECT_THAT(error().place.file, HasSubstr("lesson.json"));
}

TEST_F(LessonFolder, ThatContradictsItselfSaysHow) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "JSON"},
      {"[]", "JSON"},
      {R"({"chapters": []})", "no chapters"},
      {R"({"chapters": 3})", "chapters"},
      {R"({"chapters": [3]})", "id"},
      {R"({"chapters": [{"id": 3}]})", "id"},
      {R"({"chapters": [{"id": "a"}, {"id": "a"}]})", "two chapters"},
      {R"({"chapters": [{"id": "a", "from": "b"}, {"id": "b"}]})", "isn't before it"},
      {R"({"chapters": [{"id": "a", "from": 3}]})", "no text"},
      {R"({"chapters": [{"id": "a", "steps": ["x"]}]})", "no text"},
      {R"({"function": 3, "chapters": [{"id": "a"}]})", "no file name"}};
  for (const auto& [json, what] : cases) {
    put("lesson.json", json);
    EXPECT_EQ(error().code, "LessonError") << json;
    EXPECT_THAT(error().message.english(), HasSubstr(what)) << json;
    EXPECT_THAT(error().place.file, HasSubstr("lesson.json"));
  }
}

TEST_F(LessonFolder, ThatPointsAtNothingNamesTheLine) {
  setPointablePanels({{"history"}});
  put("zh.md", "# 题\n\n## start\n\n看[这里](look:nowhere)。\n");
  EXPECT_EQ(error().code, "LessonError");
  EXPECT_THAT(error().message.english(), HasSubstr("nowhere"));
  EXPECT_THAT(error().place.file, HasSubstr("zh.md"));
  EXPECT_EQ(error().place.line, 5);
  setPointablePanels({});
}

TEST_F(LessonFolder, WithAFigureThatIsNoneNamesTheLine) {
  put("en.md", "# Title\n\n## start\n\nThe loop, {{predicted one}}.\n\n## one\n\nBound: {{predicted two}}.\n");
  EXPECT_EQ(error().code, "LessonError");
  EXPECT_THAT(error().message.english(), HasSubstr("two"));
  EXPECT_EQ(error().place.line, 9);
}

TEST_F(LessonFolder, WithAStepThatIsRefusedNamesChapterFileAndLine) {
  put("steps/one.sched.py", tests::scheduleText("refused_split"));
  auto target = openLesson(loadLesson(folder()).value(), environment());
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message.english(), HasSubstr("chapter \"one\""));
  EXPECT_THAT(target.error().place.file, HasSubstr("one.sched.py"));
  EXPECT_EQ(target.error().place.line, 3);
}

TEST_F(LessonFolder, ThatGoesOnWithStepsThatAreRefusedNamesItsChapter) {
  fs::create_directories(scratch / "lessons/other/steps");
  put("../other/function.py", kProduct);
  put("../other/steps/more.sched.py", "sch.annotate(b, \"note\", 1)\n");
  put("../other/lesson.json", R"({"title": "O", "chapters": [
      {"id": "on", "title": "On", "from": "mine/one", "steps": "steps/more.sched.py"}]})");
  const auto opened = [&] { return openLesson(loadLesson(scratch / "lessons/other").value(), environment()); };
  ASSERT_TRUE(opened()) << opened().error().message.english();
  EXPECT_EQ(opened()->chapterNodes, (std::vector<int>{4}));
  for (const std::string& lines : {tests::scheduleText("refused_split"), std::string("b = sch.get_block(\n")}) {
    put("steps/one.sched.py", lines);
    const auto target = opened();
    ASSERT_FALSE(target);
    EXPECT_THAT(target.error().message.english(), HasSubstr("chapter \"on\""));
    EXPECT_THAT(target.error().place.file, HasSubstr("more.sched.py"));
    EXPECT_EQ(target.error().place.line, 0) << "the line is another lesson's";
  }
}

TEST_F(LessonFolder, WithTextThatCantBeReadNamesThePlace) {
  put("steps/one.sched.py", "b = sch.get_block(\n");
  EXPECT_FALSE(openTarget({"mine"}, scratch.path(), environment()));
  put("steps/one.sched.py", kBound);
  put("function.py", "def main(:\n");
  auto target = openTarget({"mine"}, scratch.path(), environment());
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code, "ParseError");
  EXPECT_THAT(target.error().place.file, HasSubstr("function.py"));
}

TEST_F(LessonFolder, ABranchStartsWhereItSays) {
  put("steps/two.sched.py", tests::scheduleText("parallel_first_loop"));
  put("lesson.json", R"({"chapters": [{"id": "start"}, {"id": "one", "steps": "steps/one.sched.py"},
      {"id": "two", "from": "start", "steps": "steps/two.sched.py"}]})");
  auto target = openTarget({"mine"}, scratch.path(), environment());
  ASSERT_TRUE(target) << target.error().message.english();
  EXPECT_EQ(target->history.node(target->chapterNodes[2]).parent, 0);
}

TEST_F(LessonFolder, AFileOfStepsNeedsNoLineBreakAtItsEnd) {
  put("steps/one.sched.py", kBound.substr(0, kBound.find_last_not_of('\n') + 1));
  put("steps/two.sched.py", "again = sch.get_block(\"C\")");
  put("lesson.json", R"({"chapters": [{"id": "start"}, {"id": "one", "steps": "steps/one.sched.py"},
      {"id": "two", "steps": "steps/two.sched.py"}]})");
  fs::create_directories(scratch / "lessons/next");
  std::ofstream(scratch / "lessons/next/function.py") << kProduct;
  std::ofstream(scratch / "lessons/next/lesson.json") << R"({"chapters": [{"id": "start"},
      {"id": "there", "from": "mine/two"}]})";
  const auto target = openTarget({"next"}, scratch.path(), environment());
  ASSERT_TRUE(target) << target.error().message.english();
  const auto mine = openTarget({"mine"}, scratch.path(), environment());
  ASSERT_TRUE(mine) << mine.error().message.english();
  EXPECT_TRUE(hasLessonsSteps(*mine, 2));
}

TEST_F(LessonFolder, GoesOnWhereAnotherOneEnds) {
  fs::create_directories(scratch / "lessons/next");
  const auto putNext = [&](const std::string& name, const std::string& text) {
    std::ofstream(scratch / "lessons/next" / name, std::ios::binary) << text;
  };
  putNext("function.py", kProduct);
  putNext("lesson.json", R"({"chapters": [{"id": "start"}, {"id": "there", "from": "mine/one"},
      {"id": "on", "steps": "on.sched.py"}]})");
  putNext("on.sched.py", "k0, k1 = sch.split(k, [None, 2])\n");
  auto target = openTarget({"next"}, scratch.path(), environment());
  ASSERT_TRUE(target) << target.error().message.english();
  const auto other = openTarget({"mine"}, scratch.path(), environment());
  ASSERT_TRUE(other);
  const History& h = target->history;
  const int there = target->chapterNodes[1];
  EXPECT_EQ(h.node(there).script->text, other->history.node(other->chapterNodes[1]).script->text);
  EXPECT_EQ(h.node(target->chapterNodes[2]).parent, there);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(hasLessonsSteps(*target, c)) << c;

  const auto whyNot = [&] {
    const auto lesson = loadLesson(scratch / "lessons/next");
    return lesson ? std::string() : lesson.error().message.english();
  };
  for (const auto& [from, what] : std::map<std::string, std::string>{{"mine/two", "no chapter"},
                                                                     {"/one", "can't be gone on with"},
                                                                     {"../one", "can't be gone on with"},
                                                                     {"none/one", "no such file"},
                                                                     {"next/start", "can't be gone on with"}}) {
    putNext("lesson.json", R"({"chapters": [{"id": "start", "from": ")" + from + R"("}]})");
    EXPECT_THAT(whyNot(), HasSubstr(what)) << from;
  }
  put("function.py", std::string(kProduct) + "\n");
  putNext("lesson.json", R"({"chapters": [{"id": "there", "from": "mine/one"}]})");
  EXPECT_THAT(whyNot(), HasSubstr("another function"));
}

TEST_F(LessonFolder, ComparesConfigurationsAndPublishedTimes) {
  put("all.sched.py", kBound);
  put("all.json", R"({"steps": "all.sched.py", "decisions": [{"name": "a", "words": {"en": "A"}, "values": [1, 2]}]})");
  const auto chapters = [&](const std::string& more) {
    put("lesson.json", R"({"published": {"one": 4560}, "chapters": [{"id": "start", "configurations": "all.json"}, )"
                       R"({"id": "one", "guess": true)" +
                           more + "}]}");
  };
  chapters(R"(, "configurations": "all.json")");
  put("en.md", "## one\n\nOnce {{published one}}.\n");
  const auto lesson = loadLesson(folder());
  ASSERT_TRUE(lesson) << lesson.error().message.english();
  ASSERT_TRUE(lesson->chapters[0].configurations);
  EXPECT_EQ(lesson->chapters[0].configurations->decisions[0].values, (std::vector<std::int64_t>{1, 2}));
  EXPECT_FALSE(lesson->chapters[0].guess);
  EXPECT_TRUE(lesson->chapters[1].guess);
  EXPECT_EQ(lesson->published.at("one"), 4560);
  chapters("");
  EXPECT_FALSE(loadLesson(folder())->chapters[1].guess) << "there is nothing to guess among";
  put("en.md", "## one\n\nOnce {{published start}}.\n");
  EXPECT_THAT(error().message.english(), HasSubstr("no published time of \"start\""));
  put("en.md", "## one\n\nOnce.\n");
  const std::string many = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
  for (const auto& [json, what] : std::map<std::string, std::string>{
           {"{}", "decisions"},
           {R"({"steps": "all.sched.py", "decisions": []})", "no decisions"},
           {R"({"steps": "all.sched.py", "decisions": [{"name": "a", "values": [2, 2]}]})", "ascending"},
           {R"({"steps": "all.sched.py", "decisions": [{"name": "a", "values": [-1]}]})", "ascending"},
           {R"({"steps": "none.py", "decisions": [{"name": "a", "values": [1]}]})", "no such file"},
           {R"({"steps": "all.sched.py", "decisions": [{"name": "a", "values": )" + many +
                R"(}, {"name": "b", "values": )" + many + R"(}, {"name": "c", "values": )" + many + "}]}",
            "more than 1000"}}) {
    put("all.json", json);
    EXPECT_THAT(error().message.english(), HasSubstr(what)) << json;
  }
}

TEST(Target, ThatIsNothingNamesTheLessons) {
  auto none = openTarget({"no_such_thing"}, assets(), environment());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "NoSuchTarget");
  EXPECT_THAT(none.error().message.english(), HasSubstr("tensor_core"));
  EXPECT_FALSE(openTarget({}, assets(), environment()));
  EXPECT_FALSE(openTarget({"a", "b", "c"}, assets(), environment()));
  EXPECT_FALSE(openTarget({"../lessons/tensor_core"}, assets(), environment()));
}

TEST(Lessons, OfTheProgramAreInOrderAndTranslated) {
  for (const std::string& name : lessonNames(assets())) {
    auto lesson = loadLesson(assets() / "lessons" / name);
    ASSERT_TRUE(lesson) << name << ": " << lesson.error().message.english();
    for (const Chapter& c : lesson->chapters) {
      for (const char* language : {"en", "zh"}) {
        EXPECT_TRUE(c.title.count(language)) << name << " " << c.id << " " << language;
        EXPECT_FALSE(c.text.count(language) == 0 || c.text.at(language).empty())
            << name << " " << c.id << " " << language;
      }
    }
  }
}

// What a device or a model says changes with both: such numbers are filled in. A lesson that types one in would
// contradict the panels beside it.
TEST(Lessons, HaveTheirOwnStepsWhenTheyAreOpened) {
  for (const std::string& name : lessonNames(assets())) {
    auto target = openTarget({name}, assets(), environment());
    ASSERT_TRUE(target) << name;
    for (std::size_t c = 0; c < target->chapterNodes.size(); ++c) EXPECT_TRUE(hasLessonsSteps(*target, c)) << name << c;
  }
}

// A phrase that points at something must do so in both languages, and a figure be the same.
TEST(Lessons, PointAtTheSameInBothLanguages) {
  const std::regex mark("\\(look:[^)]*\\)|\\{\\{[^}]*\\}\\}");
  for (const std::string& name : lessonNames(assets())) {
    auto lesson = loadLesson(assets() / "lessons" / name);
    ASSERT_TRUE(lesson) << name;
    for (const Chapter& c : lesson->chapters) {
      const auto marks = [&](const std::string& text) {
        return std::multiset<std::string>(std::sregex_token_iterator(text.begin(), text.end(), mark),
                                          std::sregex_token_iterator());
      };
      EXPECT_EQ(marks(c.text.at("en")), marks(c.text.at("zh"))) << name << " " << c.id;
    }
  }
}

TEST(Lessons, TypeNoTimeIntoTheirTexts) {
  const std::regex time("[0-9]\\s*(µs|ms|s|TFLOP|GB/s|MB)([^A-Za-z]|$)|(µs|时钟周期)变成 [0-9]");
  for (const std::string& name : lessonNames(assets())) {
    auto lesson = loadLesson(assets() / "lessons" / name);
    ASSERT_TRUE(lesson) << name;
    for (const Chapter& c : lesson->chapters) {
      for (const auto& [language, text] : c.text)
        EXPECT_FALSE(std::regex_search(text, time)) << name << " " << c.id << " " << language << ": " << text;
    }
  }
}

}  // namespace
}  // namespace loom::document::lesson_test
