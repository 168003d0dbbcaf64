#include "app/report/report.h"
#include "app/panels/memory/view/memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "app/notation/time_text.h"
#include "app/report/memory_picture.h"
#include "app/report/words.h"
#include "tests/document/awaiting_recording.h"
#include "tests/document/scheduled.h"
#include "tests/report/markup.h"

namespace loom::report::report_test {
namespace {

using document::Bench;
using document::BenchOptions;
using document::Target;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using text::Language;

// What is recorded with the program; no device, no compiler.
Bench& recorded() {
  static Bench bench([] {
    BenchOptions options;
    options.assets = document::assets();
    options.device = "none";
    return options;
  }());
  return bench;
}

const Target& lesson() {
  static const Target target =
      document::openTarget({"tensor_core"}, document::assets(), document::environment()).value();
  return target;
}

// Some seconds each: made once.
const Report& ofLesson(Language language = Language::kEnglish) {
  static std::map<Language, Report> made;
  auto [at, isNew] = made.try_emplace(language);
  if (isNew) at->second = collect(lesson(), kWholeLesson, recorded(), language);
  return at->second;
}

TEST(Collected, AWholeLessonHasEachStateOnceUnderItsChapter) {
  const Report report = ofLesson();
  EXPECT_EQ(report.steps.size(), lesson().history.nodes().size());
  ASSERT_EQ(report.chapters.size(), lesson().lesson->chapters.size());
  std::set<int> seen;
  for (const Chapter& chapter : report.chapters) {
    for (int index : chapter.steps) EXPECT_TRUE(seen.insert(report.steps[std::size_t(index)].node).second);
  }
  EXPECT_EQ(seen.size(), report.steps.size());
}

TEST(Collected, APathEndsAtItsStateAndLeavesOtherBranchesOut) {
  const int store = lesson().chapterNodes[13];
  const Report report = collect(lesson(), store, recorded(), Language::kEnglish);
  EXPECT_EQ(report.steps.back().node, store);
  EXPECT_THAT(report.steps, SizeIs(49));
  EXPECT_EQ(report.steps.back().number, 48);
  EXPECT_EQ(report.chapters.back().title, "Tensorize: store");
}

// The text of a chapter has figures of another one, whose state is on no way to the chapter's end.
TEST(Collected, ProgressCountsWhatTheTextsAskFor) {
  const Target target = document::openTarget({"space_rules"}, document::assets(), document::environment()).value();
  const auto& chapters = target.lesson->chapters;
  const auto last = std::ranges::find(chapters, "constructed", &document::Chapter::id);
  ASSERT_NE(last, chapters.end());
  const int node = target.chapterNodes[std::size_t(last - chapters.begin())];
  std::vector<std::pair<int, int>> told;
  const auto tell = [&](int done, int of) { return told.emplace_back(done, of), true; };
  const Report report = collect(target, node, recorded(), Language::kEnglish, tell);
  ASSERT_FALSE(told.empty());
  for (const auto& [done, of] : told) EXPECT_LT(done, of);
  EXPECT_EQ(told.back().first + 1, told.back().second) << "all of them are asked for";
  EXPECT_GT(told.size(), report.steps.size()) << "or this lesson shows nothing";
}

TEST(Collected, SpeedUpsAreThoseOfTheTimes) {
  const Report report = ofLesson();
  ASSERT_NE(report.fastest(), nullptr) << "recorded results come with the program";
  ASSERT_TRUE(report.vendor);
  int timed = 0;
  for (const Step& step : report.steps) {
    if (!step.microseconds) continue;
    ++timed;
    EXPECT_NEAR(*step.vendorShare, report.vendor->outcome.timing.median / *step.microseconds, 1e-12);
    if (step.overFirst) {
      EXPECT_NEAR(*step.overFirst, *report.steps[0].microseconds / *step.microseconds, 1e-6);
    }
  }
  EXPECT_GT(timed, 20);
}

TEST(Html, OfTheLessonIsWellFormedInBothLanguagesAndFetchesNothing) {
  for (Language language : {Language::kEnglish, Language::kChinese}) {
    const std::string page = html(ofLesson(language));
    EXPECT_EQ(whyNotWellFormed(page), "");
    EXPECT_THAT(page, HasSubstr(language == Language::kEnglish ? "<html lang=\"en\">" : "<html lang=\"zh\">"));
    EXPECT_THAT(page, HasSubstr(language == Language::kEnglish ? "X goes to shared memory" : "X 进入共享内存"));
    for (const char* fetched : {"<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "href=\"http"}) {
      EXPECT_THAT(page, Not(HasSubstr(fetched))) << fetched;
    }
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(page, HasSubstr("@media print"));
    // Links within the page lead somewhere.
    for (const std::string& target : all(page, "href=\"#", "\"")) {
      EXPECT_THAT(page, HasSubstr(" id=\"" + target + "\""));
    }
  }
}

TEST(Html, MarksTheLinesThatAStepChanged) {
  const Target target = document::scheduled(document::kBound);
  const Report report = collect(target, int(target.history.nodes().size()) - 1, recorded(), Language::kEnglish);
  const std::string page = html(report);
  int changed = 0;
  for (const Step& step : report.steps) {
    for (const auto* diff : {&step.scriptDiff, &step.cudaDiff}) {
      for (script::Mark mark : diff->marks) changed += mark != script::Mark::kSame;
    }
  }
  EXPECT_GT(changed, 3);
  EXPECT_EQ(all(page, "<span class=\"a\">", "<").size() + all(page, "<span class=\"c\">", "<").size(),
            std::size_t(changed));
  EXPECT_THAT(page, HasSubstr("sch.bind(j, &quot;threadIdx.x&quot;)"));
  EXPECT_THAT(page, HasSubstr("none: no state has been measured"));
}

TEST(Html, NamesOfAnyKindStayText) {
  Target target = document::scheduled(document::kBound);
  const int last = int(target.history.nodes().size()) - 1;
  target.title = "</title><script>alert('x')</script>&\"";
  target.history.rename(last, "<b>\x01\xff 名字");
  target.history.annotate(last, "\"><img src=x onerror=alert(1)>");
  const std::string page = html(collect(target, last, recorded(), Language::kChinese));
  EXPECT_EQ(whyNotWellFormed(page), "");
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("名字"));
}

TEST(Html, AStateThatIsNoKernelSaysWhy) {
  const std::string page = html(collect(lesson(), 14, recorded(), Language::kChinese));
  EXPECT_THAT(page, HasSubstr("还不是核函数"));
  EXPECT_THAT(page, HasSubstr("先做："));
}

TEST(TimeChart, HasAPointPerTimedStateWithItsTime) {
  const Report report = ofLesson();
  const std::string svg = timeChart(report, true);
  EXPECT_EQ(whyNotWellFormed(svg), "");
  const std::vector<std::string> shown = all(svg, "data-us=\"", "\"");
  std::vector<std::string> wanted;
  for (const Step& step : report.steps) {
    if (step.microseconds) wanted.push_back(fmt::format("{}", *step.microseconds));
  }
  EXPECT_EQ(shown, wanted);
  // Slower stands higher.
  const std::vector<std::string> heights = all(svg, "<circle class=\"f-txt\" cx=\"", " r=");
  auto y = [&](std::size_t i) { return std::stod(all(heights[i], "cy=\"", "\"").front()); };
  EXPECT_LT(y(0), y(heights.size() - 1));
}

TEST(MemoryPicture, HasTheBuffersAndWhatMovesBetweenThem) {
  const Report report = collect(lesson(), lesson().chapterNodes[13], recorded(), Language::kEnglish);
  const std::string svg =
      memoryPicture(session::memoryOf(*report.steps.back().model), Language::kEnglish, "memory", true);
  EXPECT_EQ(whyNotWellFormed(svg), "");
  for (const char* shown : {">X_shared<", ">16 KiB · 8-way bank conflict<", ">256 KiB<", ">1 MiB<", ">tensor core<"})
    EXPECT_THAT(svg, HasSubstr(shown));
  EXPECT_THAT(html(report), HasSubstr(memoryPicture(session::memoryOf(*report.steps.back().model), Language::kEnglish,
                                                    text::report::kMemory.in(Language::kEnglish))));
  // Before its intrinsics, too; of what two kernels would share, the buffers alone.
  EXPECT_TRUE(session::memoryOf(*report.steps[33].model).draft);
  EXPECT_TRUE(session::memoryOf(*report.steps[32].model).traffic.empty());
  EXPECT_EQ(whyNotWellFormed(memoryPicture(session::memoryOf(*report.steps[32].model), Language::kChinese, "m")), "");
}

TEST(TimeChart, WithoutTimesIsStillAPicture) {
  const Target target = document::scheduled("");
  const Report report = collect(target, 0, recorded(), Language::kEnglish);
  const std::string svg = timeChart(report);
  EXPECT_EQ(whyNotWellFormed(svg), "");
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf\"")));
}

// Of a row of CSV; quoted fields hold commas.
std::size_t fieldsOf(const std::string& line) {
  std::size_t fields = 1;
  bool quoted = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    fields += c == ',' && !quoted;
  }
  return fields;
}

TEST(Csv, HasARowPerStateAndQuotesWhatNeedsIt) {
  const Report report = ofLesson();
  const std::string table = csv(report);
  std::size_t rows = 0;
  for (const std::string& line : script::splitLines(table)) rows += !line.empty();
  EXPECT_EQ(rows, report.steps.size() + 2) << "the heading and the vendor";
  EXPECT_THAT(table, HasSubstr("\"l4, l5 = sch.split(loop=l1"));
  EXPECT_THAT(table, HasSubstr(fmt::format(",{},", *report.fastest()->microseconds)));
  // Throughput is the program's arithmetic over the time; what the model says stands beside it, named.
  const Step& best = *report.fastest();
  EXPECT_DOUBLE_EQ(*best.tflops(), 2.0 * 1024 * 1024 * 1024 / *best.microseconds / 1e6);
  EXPECT_THAT(table, HasSubstr(fmt::format(",{},NVIDIA H200,", *best.tflops())));
  EXPECT_THAT(table, HasSubstr(",program as written,"));
  for (const std::string& line : script::splitLines(table))
    EXPECT_TRUE(line.empty() || fieldsOf(line) == fieldsOf(script::splitLines(table).front())) << line;
  Report one;
  one.steps.emplace_back();
  one.steps[0].source = "f(\"a\",\nb)";
  one.chapters.push_back({"x, y", "", {0}});
  EXPECT_THAT(csv(one), HasSubstr("\"x, y\",\"f(\"\"a\"\",\nb)\""));
}

TEST(RichText, MarksBecomeElementsAndTheRestStaysText) {
  EXPECT_EQ(richText("**Look** at `a < b`\nand *more*.\n\nNext"),
            "<p><strong>Look</strong> at <code>a &lt; b</code> and <em>more</em>.</p>\n<p>Next</p>\n");
  EXPECT_EQ(richText("2 * 3 ** ` <i>"), "<p>2 * 3 ** ` &lt;i&gt;</p>\n");
  EXPECT_EQ(richText("`*a*`"), "<p><code>*a*</code></p>\n");
  EXPECT_EQ(richText(""), "");
}

TEST(Exports, AreTheDocumentsAndOurs) {
  EXPECT_THAT(exportKinds(), testing::IsSupersetOf({"cuda", "project", "report", "csv"}));
  const Target target = document::scheduled(document::kBound);
  for (const char* kind : {"report", "csv", "tvmscript"}) {
    auto files = exportState(target, 1, kind, recorded(), document::environment(), Language::kEnglish);
    ASSERT_TRUE(files) << kind;
    EXPECT_FALSE(files->at("").empty());
  }
}

TEST(Collected, TheLessonsFiguresAreThoseOfItsStates) {
  // Each in one language: a lesson's report takes seconds.
  for (const auto& [name, language] : {std::pair{"tensor_core", Language::kEnglish},
                                       {"cuda_cores", Language::kChinese},
                                       {"pipelines", Language::kEnglish},
                                       {"multistage", Language::kChinese}}) {
    const Target target = document::openTarget({name}, document::assets(), document::environment()).value();
    const auto lesson = document::loadLesson(document::assets() / "lessons" / name).value();
    const Report report = collect(target, kWholeLesson, recorded(), language);
    std::string all;
    for (std::size_t c = 0; c < report.chapters.size(); ++c) {
      const Chapter& chapter = report.chapters[c];
      EXPECT_THAT(chapter.text, Not(HasSubstr("{{"))) << chapter.title;
      if (tests::awaitsRecording(lesson, c)) continue;
      EXPECT_THAT(chapter.text, Not(HasSubstr("–"))) << chapter.title << ": a figure isn't known";
      all += chapter.text;
    }
    // The texts end with the last state that has a time.
    const auto told = std::find_if(report.steps.rbegin(), report.steps.rend(),
                                   [](const Step& step) { return step.microseconds.has_value(); });
    ASSERT_NE(told, report.steps.rend());
    EXPECT_THAT(all, HasSubstr(notation::timeText(*told->microseconds)));
    EXPECT_THAT(all, HasSubstr(language == Language::kEnglish ? "recorded on NVIDIA H" : "记录于 NVIDIA H"));
  }
  // What a pipe alone takes is said as Compare says it.
  const Target target = document::openTarget({"pipelines"}, document::assets(), document::environment()).value();
  const Report pipelines = collect(target, target.chapterNodes[1], recorded(), Language::kEnglish);
  EXPECT_THAT(pipelines.chapters.back().text, HasSubstr("(LSU) alone would take 11.2 µs, tensor cores alone 3.45 µs"));
  const std::string align = ofLesson().chapters[14].text;
  EXPECT_THAT(align, HasSubstr("passes 8 times where 1 would do."));
  EXPECT_THAT(align, HasSubstr("clocks of the memory pipe become 31"));
  EXPECT_THAT(align, HasSubstr("36 KiB of shared memory instead of 32 KiB"));
  EXPECT_THAT(ofLesson().chapters[15].text, HasSubstr("64 blocks on a GPU of 132 multiprocessors: 68 of them"));
}

}  // namespace
}  // namespace loom::report::report_test
