// Bad input: a clear line, the exit status of the contract, and nothing run, lost or left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::bad_input_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    folder.file("f.py", product());
    folder.file("s.py", kSchedule);
  }
  Ended replay(const std::string& schedule) {
    folder.file("x.py", schedule);
    return folder.run({"replay", "f.py", "x.py", "--print", "none"});
  }
  Folder folder;
};

TEST_F(BadInput, OfTheCommandLineIsStatusSixtyFour) {
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"stepz"},
                                             {"steps"},
                                             {"steps", "a", "b", "c"},
                                             {"replay", "f.py", "s.py", "--print", "some"},
                                             {"replay", "f.py", "s.py", "--dialect", "relax"},
                                             {"export", "f.py", "--as", "fortran", "-o", "x"},
                                             {"export", "f.py", "--as", "cuda"},
                                             {"export", "f.py", "--as", "cuda", "-o", "x", "--step", "-2"},
                                             {"steps", "f.py", "--device", "fast"},
                                             {"steps", "f.py", "--deadline", "-1"},
                                             {"check", "f.py", "--budget", "soon"},
                                             {"check", "f.py", "--budget", "nan"},
                                             {"check", "f.py", "--seed", "-1"},
                                             {"steps", "f.py", "--deadline", "1e400"},
                                             {"steps", "f.py", "--deadline", "0"},
                                             {"export", "f.py", "--as", "cuda", "-o", ""},
                                             {"export", "f.py", "--as", "project", "-o", "-"},
                                             {"f.py", "s.py"},
                                             {""},
                                             {"lessons", "--jsno"},
                                             {"steps", "steps"}}) {
    Ended e = folder.run(words);
    if (words == std::vector<std::string>{"steps", "steps"}) {
      EXPECT_EQ(e.status, 2) << "a verb's name is no target";
      continue;
    }
    EXPECT_EQ(e.status, 64) << words[0] << ": " << e.out << e.err;
    EXPECT_THAT(e.err, StartsWith("tileloom: "));
  }
}

// As an editor counts that the place is opened in.
TEST_F(BadInput, AColumnCountsCharacters) {
  const Ended e = replay("b = sch.get_block(\"矩→\") $\n");
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, HasSubstr("x.py:1:25: "));
  EXPECT_THAT(e.err, HasSubstr("\n    " + std::string(25, ' ') + "^\n")) << "of which one takes two columns";
}

TEST_F(BadInput, AStepThatIsNoNumberIsSaidShortly) {
  for (const char* step : {"-2", "nan", "2.5", "99999999999999999999"}) {
    Ended e = folder.run({"export", "f.py", "--as", "cuda", "-o", "-", "--step", step});
    EXPECT_EQ(e.status, 64) << step << e.err;
    EXPECT_THAT(e.err, HasSubstr(std::string("expected a step's number, 0 or more; found ") + step));
    EXPECT_LT(e.err.size(), 200U);
  }
}

TEST_F(BadInput, FilesThatCannotBeReadAreNamed) {
  folder.file("empty.py", "");
  folder.file("kernel.cu", "extern \"C\" __global__ void f() {}\n");
  for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"replay", "none.py", "s.py"}, "none.py: there is no such file"},
           {{"replay", "f.py", "none.py"}, "none.py: there is no such file"},
           {{"replay", ".", "s.py"}, ".: it is a folder"},
           {{"replay", "/dev/zero", "s.py"}, "/dev/zero: it is larger than 64 MiB"},
           {{"replay", "empty.py", "s.py"}, "empty.py:1:1: expected"},
           {{"steps", "kernel.cu"}, "neither a document (.tileloom) nor a TVMScript function (.py): "},
           {{"steps", "none"}, "neither a file nor a lesson"},
           {{"steps", "none.tileloom"}, "neither a file nor a lesson"},
           {{"check", "f.py", "none.py"}, "none.py: there is no such file"},
           {{"none.tileloom"}, "none.tileloom: there is no such file"},
           {{"export", "f.py", "--as", "cuda", "--step", "9", "-o", "-"}, "there is no step 9"},
           {{"steps", "f.py", "--model", "abacus"}, "abacus"},
           {{"replay", "f.py", "s.py", "--model", "abacus"}, "abacus"},
           {{"devices", "--model", "abacus"}, "abacus"}}) {
    Ended e = folder.run(words);
    EXPECT_EQ(e.status, 2) << words[0] << e.out << e.err;
    EXPECT_THAT(e.err, HasSubstr(said));
  }
}

TEST_F(BadInput, AModuleWithoutFunctionsIsRefused) {
  const std::string empty = "@I.ir_module\nclass Module:\n    pass\n";
  folder.file("empty.py", empty);
  folder.file("intrinsic.py", empty + "tvm.tir.TensorIntrin.register(\"x\", Module, Module)\n");
  for (const auto& words : std::vector<std::vector<std::string>>{{"steps", "empty.py"},
                                                                 {"check", "empty.py"},
                                                                 {"replay", "empty.py", "s.py"},
                                                                 {"replay", "f.py", "intrinsic.py"},
                                                                 {"export", "empty.py", "--as", "cuda", "-o", "-"}}) {
    Ended e = folder.run(words);
    EXPECT_EQ(e.status, 2) << words[0] << e.out << e.err;
    EXPECT_THAT(e.err, HasSubstr("the module has no function")) << words[0] << " " << words[1];
  }
}

// file:line:column, the line, and a caret under the very column.
TEST_F(BadInput, OfAFunctionShowsThePlaceWithACaret) {
  std::string text = product();
  text.replace(text.find("T.grid"), 6, "T.gird");
  folder.file("bad.py", text);
  Ended e = folder.run({"replay", "bad.py", "s.py"});
  EXPECT_EQ(e.status, 2);
  EXPECT_THAT(e.err, StartsWith("bad.py:4:"));
  std::size_t first = e.err.find('\n'), second = e.err.find('\n', first + 1);
  std::string line = e.err.substr(first + 1, second - first - 1), caret = e.err.substr(second + 1);
  EXPECT_THAT(line, HasSubstr("for i, j, k in T.gird(64, 64, 64):"));
  EXPECT_EQ(caret.back(), '\n');
  std::size_t at = caret.find('^');
  ASSERT_NE(at, std::string::npos) << e.err;
  EXPECT_EQ(caret.substr(0, at), std::string(at, ' '));
  EXPECT_THAT(line.substr(at), testing::AnyOf(StartsWith("T.gird"), StartsWith(".gird"), StartsWith("gird")));
}

TEST_F(BadInput, ACaretCountsColumnsNotBytes) {
  Ended e = replay("b = sch.get_block(\"张量é\", [x for x y])\n");
  EXPECT_EQ(e.status, 2) << e.err;
  // Two characters of two columns and one of one, in eight bytes.
  std::size_t columns = std::string("b = sch.get_block(\"12345\", [x for x ").size();
  EXPECT_THAT(e.err,
              HasSubstr("\n    b = sch.get_block(\"张量é\", [x for x y])\n" + std::string(4 + columns, ' ') + "^\n"));
}

TEST_F(BadInput, StepLinesRunNoOtherPython) {
  for (const std::string& line : std::vector<std::string>{std::string(1, '\0'),
                                                          "import os",
                                                          "from os import system",
                                                          "__import__('os').system('touch pwned')",
                                                          "sch.__class__.__bases__[0]",
                                                          "b = sch.get_block.__globals__",
                                                          "eval('1')",
                                                          "exec('x = 1')",
                                                          "open('pwned', 'w')",
                                                          "while True: pass",
                                                          "with open('x') as f: pass",
                                                          "del b",
                                                          "assert False",
                                                          "raise ValueError()",
                                                          "@sch\ndef f(): pass",
                                                          "x += 1",
                                                          "b.name = 3",
                                                          "yield 1",
                                                          "return",
                                                          "`ls`",
                                                          "b = sch.get_block(\"C\") and os",
                                                          "sch.get_block(name := \"C\")",
                                                          "async def f(): pass",
                                                          "x = b'C'",

                                                          "\xff\xfe",
                                                          "b = sch.get_block(\"C\"",
                                                          "b = sch.get_block(\"C"}) {
    Ended e = replay(line + "\n");
    EXPECT_EQ(e.status, 2) << line << "\n" << e.err;
    EXPECT_THAT(e.err, StartsWith("x.py:")) << line;
    EXPECT_THAT(e.err, HasSubstr("^")) << line;
  }
  EXPECT_EQ(folder.read("pwned"), "");
}

// What is Python and harmless is read; nothing of it runs.
TEST_F(BadInput, OtherPythonThatMakesNoStepIsPassedOver) {
  for (const std::string line :
       {"def f():\n  pass", "for i in range(3):\n  sch.get_block(\"C\")", "x = [sch.get_block(n) for n in ['C']]",
        "x = (y for y in [1])", "b = sch.get_block(f\"{'C'}\")", "b = sch.get_block(\"C\" if True else \"D\")",
        "global b", "try:\n  pass\nexcept: pass", "x: int = 3", "print(1)", "sch = 3", "T = 3", "x = sch.mod",
        "x = sch.mod.show()", "lambda: 0", "x = 1 if 2 else 3", "x = tvm.ir.load_json('x')", "class X:\n  pass"}) {
    Ended e = replay(line + "\n");
    EXPECT_EQ(e.status, 0) << line << "\n" << e.err;
  }
}

TEST_F(BadInput, HugeLinesAndNestingEndSoonAndAreShownInPart) {
  std::string ten(10 << 20, 'x');
  for (const std::string& text :
       {ten, "b = sch.get_block(\"" + ten + "\")", "b = " + std::string(200000, '(') + std::string(200000, ')'),
        "b = sch.split(l, " + std::string(5000, '[') + std::string(5000, ']') + ")",
        "b = " + std::string(100000, '-') + "1", "sch.fuse(" + std::string(1 << 20, ',') + ")"}) {
    Ended e = replay(text + "\n");
    EXPECT_THAT(std::vector<int>({2, 3}), testing::Contains(e.status)) << text.substr(0, 30) << e.err.substr(0, 300);
    EXPECT_LT(e.err.size(), 3000u) << text.substr(0, 30);
  }
}

TEST_F(BadInput, AHundredThousandLinesAreReadInTime) {
  std::string lines;
  for (int i = 0; i < 100000; ++i) lines += "b = sch.get_block(\"C\")\n";
  Ended fine = replay(lines);
  EXPECT_EQ(fine.status, 0) << fine.err;
  EXPECT_THAT(replay(lines + "sch.bind(b)\n").err, HasSubstr(" line 100001: "));
  EXPECT_THAT(replay(lines + "import os\n").err, StartsWith("x.py:100001:1: "));
}

TEST_F(BadInput, ControlCharactersDoNotReachTheTerminal) {
  Ended e = replay("b = sch.get_block(\"\\x1b[2J\\x07\")\n");
  EXPECT_EQ(e.status, 3) << e.err;
  EXPECT_EQ(e.err.find_first_of("\x1b\x07"), std::string::npos);
}

TEST_F(BadInput, RefusalsNameTheCodeAndTheLine) {
  for (const auto& [lines, said] : std::vector<std::pair<std::string, std::string>>{
           {"b = sch.get_block(\"nope\")", "error[NotSingleResult] line 1: "},
           {tests::scheduleText("refused_factors"), "error[WrongFactorError] line 4: "},
           {tests::scheduleText("dead_loop"), "error[ValueError] line 4: "},   // a dead loop
           {tests::scheduleText("dead_block"), "error[ValueError] line 4: "},  // a dead block
           {"b = sch.get_block(\"C\")\nx, y = sch.get_loops(b)", "error[ValueError] line 2: "},
           {"b = sch.get_block(\"C\")\nsch.get_loops(b)[7]", "error[IndexError] line 2: "},
           {"b = sch.get_block(\"C\")\nsch.split(sch.get_loops(b)[0], [None, None])",
            "error[NotSingleInferFactorError] line 2: "},
           {"b = sch.get_block(\"C\")\nsch.split(sch.get_loops(b)[0], [0, None])",
            "error[NonPositiveFactorError] line 2: "},
           {"b = sch.get_block(\"C\")\nsch.split(sch.get_loops(b)[0], [\"2\"])", "error[TypeError] line 2: "},
           {"b = sch.get_block(\"C\", colour=3)", "error[TypeError] line 1: "}}) {
    Ended e = replay(lines + "\n");
    EXPECT_EQ(e.status, 3) << lines << e.err;
    EXPECT_THAT(e.err, StartsWith(said)) << lines;
    Ended steps = folder.run({"check", "f.py", "x.py"});
    EXPECT_EQ(steps.status, 3) << "the same from another verb: " << lines << steps.err;
    EXPECT_THAT(steps.err, HasSubstr(said));
  }
}

TEST_F(BadInput, UnknownNamesShowTheirPlace) {
  for (const auto& [line, said] : std::vector<std::pair<std::string, std::string>>{
           {"b = sch.get_blok(\"C\")", "get_blok"}, {"sch.bind(l9, \"threadIdx.x\")", "l9"}}) {
    Ended e = replay("# first\n" + line + "\n");
    EXPECT_EQ(e.status, 2);
    EXPECT_THAT(e.err, StartsWith("x.py:2:"));
    EXPECT_THAT(e.err, HasSubstr(said));
  }
}

// As TVM has it, which takes what fits in 64 bits.
TEST_F(BadInput, ExtentsAtTheEdges) {
  folder.file("fuse.py", tests::scheduleText("fuse_and_split"));
  for (const auto& [extent, status] : std::vector<std::pair<std::string, int>>{{"0", 0},
                                                                               {"1", 0},
                                                                               {"2147483647", 0},
                                                                               {"2147483648", 0},
                                                                               {"9223372036854775807", 0},
                                                                               {"9223372036854775808", 2},
                                                                               {"-1", 2},
                                                                               {"1e9", 2},
                                                                               {"99999999999999999999999999", 2}}) {
    folder.file("edge.py", product(extent));
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"replay", "edge.py", "fuse.py"},
                                               {"check", "edge.py", "fuse.py"},
                                               {"steps", "edge.py", "fuse.py", "--no-compile"},
                                               {"export", "edge.py", "fuse.py", "--as", "cuda", "-o", "-"}}) {
      Ended e = folder.run(words);
      if (status == 2) {
        EXPECT_EQ(e.status, 2) << extent << " " << words[0] << e.err;
        EXPECT_THAT(e.err, StartsWith("edge.py:3:"));
      } else if (words[0] == "export" || extent == "0") {  // TVM divides by an extent of 0 and gives up
        EXPECT_THAT(std::vector<int>({0, 3}), testing::Contains(e.status)) << extent << e.err;
      } else {
        // What is too large to be run is not checked, and silence would be taken for consent.
        const int expected = words[0] == "check" && extent != "1" ? 3 : 0;
        EXPECT_EQ(e.status, expected) << extent << " " << words[0] << e.out << e.err;
      }
    }
  }
}

TEST_F(BadInput, DocumentsOfAnotherTime) {
  folder.file("new.tileloom", R"({"tileloom": 99, "title": "x"})");
  folder.file("not.tileloom", "PK\x03\x04");
  folder.file("list.tileloom", "[1, 2]");
  folder.file("half.tileloom", R"({"tileloom": 1, "title": "x", "function": ")");
  folder.file("gap.tileloom", R"({"tileloom": 1, "title": "x"})");
  for (const char* name : {"new", "not", "list", "half", "gap"}) {
    std::string file = std::string(name) + ".tileloom", before = folder.read(file);
    Ended e = folder.run({"steps", file});
    EXPECT_EQ(e.status, 2) << name << e.out << e.err;
    EXPECT_THAT(e.err, HasSubstr(file)) << name;
    EXPECT_EQ(folder.read(file), before) << "never written to";
  }
  EXPECT_THAT(folder.run({"steps", "new.tileloom"}).err, HasSubstr("99"));
}

TEST_F(BadInput, ADocumentWhoseStepIsRefusedShowsWhatStillStands) {
  folder.run({"export", "f.py", "s.py", "--as", "document", "-o", "d.tileloom"});
  std::string text = folder.read("d.tileloom");
  std::size_t at = text.find("threadIdx.x");
  ASSERT_NE(at, std::string::npos);
  folder.file("d.tileloom", text.replace(at, 11, "threadIdy.q"));
  Ended e = folder.run({"steps", "d.tileloom", "--no-compile"});
  EXPECT_NE(e.status, 0) << e.out;
  EXPECT_THAT(e.out, HasSubstr("blockIdx.x")) << "the states before it are there";
  EXPECT_FALSE(e.err.empty());
}

TEST_F(BadInput, OutputThatCannotBeWrittenIsStatusSeventyFour) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"lessons"},
                                                                 {"--help"},
                                                                 {"replay", "f.py", "s.py"},
                                                                 {"steps", "f.py", "s.py", "--no-compile"},
                                                                 {"check", "f.py"},
                                                                 {"export", "f.py", "--as", "tvmscript", "-o", "-"}}) {
    for (const char* where : {"/dev/full", "-"}) {
      Ended e = folder.run(words, {.output = where});
      EXPECT_EQ(e.status, 74) << words[0] << " to " << where << e.err;
      EXPECT_THAT(e.err, HasSubstr("can't be written")) << words[0];
    }
    // `… | head` knows why.
    Ended e = folder.run(words, {.output = "|"});
    EXPECT_EQ(e.status, 74) << words[0] << e.err;
    EXPECT_EQ(e.err, "") << words[0];
  }
  for (const char* where : {"/dev/full", "/proc/x", "none/x", "."}) {
    Ended e = folder.run({"export", "f.py", "--as", "tvmscript", "-o", where});
    EXPECT_EQ(e.status, 74) << where << e.err;
    EXPECT_THAT(e.err, HasSubstr("can't be")) << where;
  }
  for (const char* where : {"none/x", "/proc/x", "."}) {
    Ended e = folder.run({"record", "f.py", "-o", where});
    EXPECT_EQ(e.status, 74) << "said before anything is measured: " << where << e.err;
  }
  for (const char* where : {"f.py", "/proc/x", "/dev/full"}) {
    EXPECT_EQ(folder.run({"export", "f.py", "--as", "project", "-o", where}).status, 74) << where;
  }
  for (const char* kind : {"tvmscript", "document", "project"}) {
    Ended e = folder.run({"export", "f.py", "--as", kind, "-o", "none/x"});
    EXPECT_EQ(e.status, 74) << kind << ": a folder around it is made for none";
    EXPECT_THAT(e.err, HasSubstr("none/x can't be ")) << kind;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "none")) << kind;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device is written to, never replaced";
}

TEST_F(BadInput, ErrorsThatNobodyReadsKeepTheirStatus) {
  Surroundings deaf;
  deaf.errorsUnread = true;
  EXPECT_EQ(folder.run({"steps", "none"}, deaf).status, 2);
  EXPECT_EQ(folder.run({"stepz"}, deaf).status, 64);
  EXPECT_EQ(folder.run({"steps"}, deaf).status, 64);
  folder.file("x.py", "b = sch.get_block(\"D\")\n");
  EXPECT_EQ(folder.run({"replay", "f.py", "x.py"}, deaf).status, 3);
  EXPECT_EQ(folder.run({"lessons"}, deaf).status, 0);
}

TEST_F(BadInput, AFilePastTheLimitIsAFailedWriteAndLeavesNothing) {
  folder.file("old.cu", "old");
  Ended e = folder.run({"export", "f.py", "s.py", "--as", "cuda", "-o", "old.cu"}, {.fileBytes = 100});
  EXPECT_EQ(e.status, 74) << e.err;
  EXPECT_THAT(e.err, HasSubstr("old.cu can't be written: File too large"));
  EXPECT_EQ(folder.read("old.cu"), "old");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(BadInput, AFailedExportLeavesTheOldFile) {
  folder.file("kept.cu", "old");
  folder.file("refused.py", "b = sch.get_block(\"nope\")\n");
  EXPECT_EQ(folder.run({"export", "f.py", "refused.py", "--as", "cuda", "-o", "kept.cu"}).status, 3);
  EXPECT_EQ(folder.read("kept.cu"), "old");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

TEST_F(BadInput, TracesThatAreNone) {
  for (const char* text :
       {"[", "[[], [], []]", "{}", "[[[\"Split\", [], [], []]], []]", "[[[\"Fly\", [], [], []]], []]",
        "{\"root\": 1, \"nodes\": [0, {\"type_key\": \"ffi.Array\", \"data\": [1, 1]}]}"}) {
    folder.file("t.json", text);
    Ended e = folder.run({"replay", "f.py", "t.json"});
    EXPECT_EQ(e.status, 2) << text << e.err;
    EXPECT_THAT(e.err, StartsWith("t.json")) << text;
  }
}

TEST_F(BadInput, AWorkerRefusesWhatIsNoFrame) {
  for (const std::string& input : {std::string("garbage\n"), std::string(64, '\xff'), std::string(1 << 16, '\0')}) {
    Ended e = folder.run({"worker"}, {.input = input});
    EXPECT_EQ(e.status, 2) << e.err;
  }
  EXPECT_EQ(folder.run({"worker"}).status, 0) << "a client that hangs up is no error";
}

}  // namespace
}  // namespace loom::cli::bad_input_test
