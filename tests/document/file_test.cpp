#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <tuple>

#include "core/document/file.h"
#include "tests/compile/scratch.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/turn.h"

namespace loom::document::file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string bytesOf(const fs::path& file) { return readFile(file).value(); }
void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }
std::size_t filesIn(const fs::path& folder) {
  return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Target branched() {
  Target t = scheduled(kBound);
  (void)t.history.apply(1, "sch.parallel(i0)\n", environment());
  (void)t.history.apply(1, "b2 = sch.get_block(\"C\")\n", environment());
  t.history.rename(2, "named \"so\"");
  t.history.annotate(3, "a note\nin two lines, 中文");
  t.history.pin(3, true);
  t.history.select(3);
  return t;
}

TEST(Document, ComesBackWithItsWholeTree) {
  Target t = branched();
  t.history.remove(4);
  t.history.select(3);
  const std::string text = writeDocument(t);
  auto back = readDocument(text, "d.tileloom", environment());
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_FALSE(back->refusal);
  ASSERT_EQ(back->history.nodes().size(), t.history.nodes().size());
  for (std::size_t i = 0; i < t.history.nodes().size(); ++i) {
    const Node &a = t.history.node(int(i)), &b = back->history.node(int(i));
    EXPECT_EQ(a.script->text, b.script->text) << i;
    EXPECT_EQ(a.parent, b.parent) << i;
    EXPECT_EQ(a.name, b.name) << i;
    EXPECT_EQ(a.note, b.note) << i;
    EXPECT_EQ(a.pinned, b.pinned) << i;
    EXPECT_EQ(a.deleted, b.deleted) << i;
    EXPECT_EQ(a.trailing.size(), b.trailing.size()) << i;
  }
  EXPECT_EQ(back->history.current(), 3);
  EXPECT_EQ(writeDocument(*back), text) << "keys in the same order: differences read well";
  // Handles live on: a step that uses one from before the file.
  auto more = back->history.apply(3, "sch.unroll(i1)\n", environment());
  EXPECT_TRUE(more && !more->refusal);
}

TEST(Document, KeepsFoldsWithTitlesInEveryLanguage) {
  Target t = branched();
  const int last = t.history.apply(1, "sch.unroll(i0)\nsch.unroll(i1)\n", environment())->node;
  t.history.foldSteps(1, last, 2, {message("a whole number from {} to {}", 1, 2), {}});
  t.history.restoreFold({verbatim("by hand"), 0});
  const std::string text = writeDocument(t);
  auto back = readDocument(text, "d.tileloom", environment());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(back->remarks.empty());
  ASSERT_EQ(back->history.folds().size(), 2U);
  EXPECT_EQ(back->history.folds()[0].title.id(), "a whole number from {} to {}");
  EXPECT_EQ(back->history.folds()[1].outer, 0);
  EXPECT_EQ(back->history.node(last).fold, 0);
  EXPECT_EQ(back->history.node(1).fold, -1);
  EXPECT_EQ(writeDocument(*back), text);
}

TEST(Document, WhoseFoldsContradictThemselvesIsNone) {
  Target t = branched();
  t.history.restoreFold({verbatim("title"), -1});
  const std::string text = writeDocument(t);
  auto with = [&](const std::string& old, const std::string& now) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), now);
    const auto read = readDocument(changed, "d.tileloom", environment());
    return read ? std::string() : read.error().message.english();
  };
  EXPECT_THAT(with("\"title\"}", "\"title\",\"outer\":0}"), HasSubstr("/folds/0/outer is 0; no such key"));
  EXPECT_THAT(with("\"id\":1,", "\"id\":1,\"fold\":1,"), HasSubstr("/nodes/1/fold is 1; a whole number from 0 to 0"));
  EXPECT_THAT(with("{\"title\":\"title\"}", "{}"), HasSubstr("/folds/0/title is missing"));
  EXPECT_EQ(with("\"id\":1,", "\"id\":1,\"fold\":0,"), "");
}

TEST(Document, HasALineForEachNode) {
  const std::string text = writeDocument(branched());
  EXPECT_EQ(text.find("\"id\":0"), text.find("\"id\""));
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.find("\n  {\"id\":", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, branched().history.nodes().size());
}

TEST(Document, OfANewerProgramIsRefusedWithAClearLine) {
  auto newer = readDocument(R"({"tileloom": 2, "future": true})", "d.tileloom", environment());
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, "NewerVersion");
  EXPECT_THAT(newer.error().message.english(), HasSubstr("d.tileloom"));
  EXPECT_THAT(newer.error().message.english(), HasSubstr("2"));
}

TEST(Document, ThatIsNoneSaysWhy) {
  for (const char* text :
       {"", "{", "[]", "{}", "\"tileloom\"", R"({"tileloom": "1"})", R"({"tileloom": 1})", R"({"tileloom": 0})",
        R"({"tileloom": -3})", R"({"tileloom": 18446744073709551615})", R"({"tileloom": 1.5})",
        R"({"tileloom": 1, "title": "t", "function": 3, "nodes": []})",
        R"({"tileloom": 1, "title": "t", "function": "def f(): pass", "nodes": [{}]})", "\x00\xff\xfe"}) {
    auto none = readDocument(text, "d.tileloom", environment());
    ASSERT_FALSE(none) << text;
    EXPECT_FALSE(none.error().message.english().empty()) << text;
  }
}

std::string with(const std::string& text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.substr(0, at) + to + text.substr(at + from.size());
}

TEST(Document, WhoseTreeContradictsItselfIsNoneOrLosesOnlyThat) {
  const std::string good = writeDocument(branched());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"parent\":1", "\"parent\":77"},
                                                        {"\"parent\":1", "\"parent\":-1"},
                                                        {"\"nodes\": [", "\"nodes\": 3, \"x\": ["},
                                                        {"\"lines\":[\"sch.parallel(i0)\"]", "\"lines\":7"}}) {
    EXPECT_FALSE(readDocument(with(good, from, to), "d", environment())) << to;
  }
  // The same uid twice would be two loops with one id.
  auto twice = readDocument(with(good, "\"uids\":[4]", "\"uids\":[1]"), "d", environment());
  ASSERT_TRUE(twice);
  ASSERT_TRUE(twice->refusal);
  EXPECT_THAT(twice->refusal->message.english(), HasSubstr("uid"));
  auto huge = readDocument(with(good, "\"uids\":[4]", "\"uids\":[4294967295]"), "d", environment());
  ASSERT_TRUE(huge);
  EXPECT_TRUE(huge->refusal);
  // A step that is refused now: what came before it is there.
  auto refused = readDocument(with(good, "[None, 8]", "[None, -8]"), "d", environment());
  ASSERT_TRUE(refused);
  ASSERT_TRUE(refused->refusal);
  EXPECT_EQ(refused->history.nodes().size(), 1u);
  auto outside = readDocument(with(good, "\"current\": 3", "\"current\": 99"), "d", environment());
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->history.current(), 0);
}

// Which key is wrong, as a JSON pointer, what it is and what it should be.
TEST(Document, OfAWrongTypeOrRangeNamesTheKey) {
  const std::string good = writeDocument(branched());
  for (const auto& [from, to, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"\"title\": ", "\"title\": 3, \"x\": ", "/title is 3; a text is expected"},
           {"\"current\": 3", "\"current\": \"3\"", "/current is the text \"3\"; a whole number is expected"},
           {"\"current\": 3", "\"current\": 1.5", "/current is 1.5; a whole number is expected"},
           {"\"chapters\": []", "\"chapters\": {}", "/chapters is an object; a list is expected"},
           {"\"chapters\": []", "\"chapters\": [0, null]", "/chapters/1 is null; a whole number is expected"},
           {"\"lesson\": null", "\"lesson\": []", "/lesson is a list; a text or null is expected"},
           {"\"nodes\": [", "\"nodes\": {}, \"x\": [", "/nodes is an object; a list is expected"},
           {"\"id\":2", "\"id\":3", "/nodes/2/id is 3; 2 is expected"},
           {"\"parent\":1", "\"parent\":true", "/nodes/2/parent is true; a whole number is expected"},
           {"\"parent\":1", "\"parent\":77", "/nodes/2/parent is 77; a whole number from 0 to 1 is expected"},
           {"\"parent\":1,", "", "/nodes/2/parent is missing"},
           {"\"uids\":[4]", "\"uids\":[-4]", "/nodes/2/uids/0 is -4; a whole number from 0 to 4294967295 is expected"},
           {"\"uids\":[4]", "\"uids\":[1e400]", "number overflow parsing '1e400'"},
           {"\"lines\":[\"sch.parallel(i0)\"]", "\"lines\":[7]", "/nodes/4/lines/0 is 7; a text is expected"},
           {"\"pinned\":true", "\"pinned\":1", "/pinned is 1; true or false is expected"},
           {"\"trailing_uids\"", "\"trailing_uid\"", "/trailing_uids is missing"},
           {"\"current\": 3", "\"current\": 3, \"current\": 2", "the key \"current\" stands twice in one object"},
           {"T.grid", "T.gird", "/function, line "}}) {
    auto none = readDocument(with(good, from, to), "d.tileloom", environment());
    ASSERT_FALSE(none) << to;
    EXPECT_EQ(none.error().code, "ParseError");
    EXPECT_EQ(none.error().place.file, "d.tileloom");
    EXPECT_THAT(none.error().message.english(), HasSubstr(said));
  }
}

TEST(Document, ThatIsNoJsonSaysLineAndColumn) {
  const std::string good = writeDocument(branched());
  for (const auto& [from, to, column] : std::vector<std::tuple<std::string, std::string, int>>{
           {"\"current\": 3,", "\"current\": 3;", 14}, {"\"current\": 3,", "\"current\": nul,", 16}}) {
    auto none = readDocument(with(good, from, to), "d.tileloom", environment());
    ASSERT_FALSE(none) << to;
    const Place& place = none.error().place;
    EXPECT_EQ(place.file, "d.tileloom");
    EXPECT_EQ(place.line, 6);
    EXPECT_EQ(place.column, column) << none.error().message.english();
    EXPECT_EQ(place.text, " " + to);
    EXPECT_THAT(none.error().message.english(), HasSubstr("syntax error"));
  }
  auto empty = readDocument("", "d.tileloom", environment());
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().place.line, 1);
}

// What is passed over is told, and the rest is there.
TEST(Document, TellsWhatItPassesOver) {
  EXPECT_THAT(readDocument(writeDocument(branched()), "d", environment())->remarks, testing::IsEmpty());
  const std::string good = writeDocument(branched());
  for (const auto& [from, to, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"\"current\": 3", "\"current\": 99", "/current is 99, but the document has the states 0 to 4"},
           {"\"current\": 3", "\"current\": -1", "/current is -1, but"},
           {"\"chapters\": []", "\"chapters\": [1, 99]", "/chapters/1 is 99, but the document has the states 0 to 4"},
           {"\"current\": 3", "\"current\": 3, \"a/b\": 1", "/a~1b is no key of documents of version 1"},
           {"\"pinned\":true", "\"pinned\":true,\"colour\":\"red\"", "/nodes/3/colour is no key"}}) {
    auto read = readDocument(with(good, from, to), "d", environment());
    ASSERT_TRUE(read) << to << read.error().message.english();
    EXPECT_THAT(read->remarks, testing::ElementsAre(HasSubstr(said)));
    EXPECT_EQ(read->history.nodes().size(), 5U);
  }
}

TEST(Document, OfALessonThatIsNotHereKeepsItsName) {
  auto read = readDocument(with(writeDocument(branched()), "\"lesson\": null", "\"lesson\": \"elsewhere\""), "d",
                           environment());
  ASSERT_TRUE(read);
  EXPECT_THAT(writeDocument(*read), HasSubstr("\"lesson\": \"elsewhere\""));
}

// Where an intrinsic is missing, say: what can't be applied here comes back where it can.
TEST(Document, KeepsWhatIsRefusedHere) {
  Target t = branched();
  t.history.annotate(1, "split");
  t.chapterNodes = {1, 2};
  const std::string good = writeDocument(t);
  const std::string damaged = with(good, "[None, 8]", "[None, -8]");
  auto refused = readDocument(damaged, "d", environment());
  ASSERT_TRUE(refused);
  ASSERT_TRUE(refused->refusal);
  EXPECT_EQ(refused->refusal->place.line, 0);
  EXPECT_THAT(refused->refusal->place.text, HasSubstr("[None, -8]"));
  EXPECT_EQ(refused->refused.size(), t.history.nodes().size() - 1);
  EXPECT_EQ(refused->chapterNodes, (std::vector<int>{0, 0}));
  EXPECT_EQ(refused->history.nextUid(), t.history.nextUid()) << "a new step takes no refused step's uid";
  // Work goes on, and the refused steps are written behind it.
  ASSERT_TRUE(
      refused->history.apply(0, "b9 = sch.get_block(\"C\")\nsch.parallel(sch.get_loops(b9)[1])", environment()));
  const std::string saved = writeDocument(*refused);
  EXPECT_EQ(writeDocument(*readDocument(saved, "d", environment())), saved) << "again and again";
  auto mended = readDocument(with(saved, "[None, -8]", "[None, 8]"), "d", environment());
  ASSERT_TRUE(mended);
  EXPECT_FALSE(mended->refusal);
  EXPECT_TRUE(mended->refused.empty());
  ASSERT_EQ(mended->history.nodes().size(), t.history.nodes().size() + 1);
  for (int i = 1; i < int(t.history.nodes().size()); ++i) {
    const Node &a = t.history.node(i), &b = mended->history.node(i + 1);
    EXPECT_EQ(a.script->text, b.script->text) << i;
    EXPECT_EQ(a.note, b.note) << i;
    EXPECT_EQ(a.name, b.name) << i;
    EXPECT_EQ(a.pinned, b.pinned) << i;
    EXPECT_EQ(a.trailing.size(), b.trailing.size()) << i;
  }
  EXPECT_EQ(mended->chapterNodes, (std::vector<int>{2, 3}));
}

TEST(Document, KeepsRefusedAccessorLinesToo) {
  const std::string good = writeDocument(branched());
  auto refused = readDocument(with(good, "get_block(\\\"C\\\")\"],\"trailing", "get_block(\\\"D\\\")\"],\"trailing"),
                              "d", environment());
  ASSERT_TRUE(refused);
  ASSERT_TRUE(refused->refusal);
  auto back = readDocument(with(writeDocument(*refused), "\\\"D\\\"", "\\\"C\\\""), "d", environment());
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->refusal);
  EXPECT_EQ(writeDocument(*back), good);
}

TEST(Document, WhatAnEditBrokeIsNoNewsWhenItIsOpened) {
  Target t = branched();
  t.history.remove(4);
  const std::string text = with(writeDocument(t), "sch.parallel(i0)", "sch.parallel(i9)");
  auto read = readDocument(text, "d", environment());
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->refusal);
  EXPECT_EQ(writeDocument(*read), text);
}

TEST(Document, TruncatedAnywhereIsAnError) {
  const std::string good = writeDocument(branched());
  for (std::size_t n = 0; n + 2 < good.size(); n += 5) {
    EXPECT_FALSE(readDocument(good.substr(0, n), "d", environment())) << n;
  }
}

TEST(Document, DamagedAnywhereNeitherCrashesNorHangs) {
  const std::string good = writeDocument(branched());
  std::mt19937 random(5);
  const std::string words[] = {"[",           "]",     "{",       "\"",   "null", "-1",
                               "99999999999", "1e308", "\\u0000", "sch.", "32",   "None"};
  std::size_t readable = 0;
  const tests::Turn turn(2);
  for (std::size_t round = 0; round < 1500; ++round) {
    std::string text = good;
    for (unsigned i = 0; i <= random() % 3; ++i) {
      std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = char(random()); break;
        case 1: text.erase(at, random() % 20); break;
        case 2: text.insert(at, words[random() % std::size(words)]); break;
        default: text.replace(at, 1, std::to_string(random() % 300)); break;
      }
    }
    if (!turn.has(round)) continue;
    auto read = readDocument(text, "d", environment());
    if (!read) continue;
    ++readable;
    // What was read can be written and read again.
    EXPECT_TRUE(readDocument(writeDocument(*read), "d", environment())) << text;
  }
  EXPECT_GT(readable, 50 / turn.parts());
}

TEST(Document, OfRandomBytesIsAnError) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 3000, '\0');
    for (char& c : text) c = char(random());
    EXPECT_FALSE(readDocument(text, "d", environment()));
  }
  EXPECT_FALSE(readDocument(std::string(300000, '['), "d", environment()));  // far fewer fit a stack
}

TEST(WriteFile, ReplacesTheOldOneAndLeavesNothingElse) {
  Scratch folder;
  put(folder / "d", "old");
  chmod((folder / "d").c_str(), 0640);
  ASSERT_TRUE(writeFile(folder / "d", "new"));
  EXPECT_EQ(bytesOf(folder / "d"), "new");
  EXPECT_EQ(filesIn(folder.path()), 1u);
  EXPECT_EQ(unsigned(fs::status(folder / "d").permissions()), 0640u);
}

TEST(WriteFile, WritesThroughALink) {
  Scratch folder;
  put(folder / "real", "old");
  fs::create_symlink("real", folder / "link");
  ASSERT_TRUE(writeFile(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(bytesOf(folder / "real"), "new");
}

TEST(WriteFile, WhereItCantSaysWhy) {
  Scratch folder;
  put(folder / "file", "a file");
  auto below = writeFile(folder / "file/below", "x");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code, "CantWrite");
  EXPECT_THAT(below.error().message.english(), HasSubstr("Not a directory"));
  auto absent = writeFile(folder / "no/such/folder/d", "x");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message.english(), HasSubstr("No such file"));
  fs::create_directory(folder / "folder");
  EXPECT_EQ(writeFile(folder / "folder", "x").error().code, "CantWrite");
  EXPECT_FALSE(writeFile(folder / std::string(300, 'n'), "x"));
  EXPECT_EQ(filesIn(folder.path()), 2u) << "no leftovers";
}

TEST(WriteFile, OnAFullDiskKeepsTheOldOne) {
  auto full = writeFile("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, "CantWrite");
  EXPECT_THAT(full.error().message.english(), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));

  Scratch folder;
  put(folder / "d", "old");
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit small{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
    auto written = writeFile(folder / "d", std::string(100000, 'x'));
    _exit(!written && written.error().code == "CantWrite" ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytesOf(folder / "d"), "old");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFile, KilledAtAnyTimeLeavesAWholeFile) {
  Scratch folder;
  const std::string a(300000, 'a'), b(300000, 'b');
  put(folder / "d", a);
  for (int round = 0; round < 12; ++round) {
    pid_t child = fork();
    if (child == 0) {
      for (;;) {
        (void)writeFile(folder / "d", b);
        (void)writeFile(folder / "d", a);
      }
    }
    usleep(useconds_t(3000 + round * 1700));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string now = bytesOf(folder / "d");
    ASSERT_TRUE(now == a || now == b) << round;
  }
}

TEST(ReadFile, OfWhatIsNoneSaysWhy) {
  Scratch folder;
  EXPECT_EQ(readFile(folder / "absent").error().code, "NoSuchFile");
  EXPECT_EQ(readFile(folder.path()).error().code, "CantRead");
  EXPECT_EQ(readFile("/dev/zero").error().code, "TooLarge") << "not by its size, which is 0";
  put(folder / "empty", "");
  EXPECT_EQ(readFile(folder / "empty"), "");
}

}  // namespace
}  // namespace loom::document::file_test
