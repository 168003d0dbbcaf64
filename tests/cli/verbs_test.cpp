// What each verb prints and how it ends when all is well, and when the machine lacks something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/schedules/schedule_text.h"

namespace loom::cli::verbs_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Verbs : public testing::Test {
 protected:
  void SetUp() override {
    folder.file("f.py", product());
    folder.file("s.py", kSchedule);
  }
  Folder folder;
};

TEST_F(Verbs, HelpListsEveryVerbAndEachHasItsOwn) {
  Ended help = folder.run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* verb : {"steps", "replay", "check", "export", "lessons", "devices", "doctor", "worker", "record",
                           "screenshots", "sweep", "tensorize"}) {
    EXPECT_THAT(help.out, HasSubstr(verb));
    Ended own = folder.run({verb, "--help"});
    EXPECT_EQ(own.status, 0) << verb;
    EXPECT_THAT(own.out, HasSubstr(std::string("tileloom ") + verb));
  }
  EXPECT_THAT(folder.run({"--version"}).out, testing::MatchesRegex("tileloom [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Verbs, PlainOutputWithoutATerminal) {
  for (const Ended& e : {folder.run({"steps", "f.py", "s.py"}), folder.run({"check", "f.py", "s.py"}),
                         folder.run({"lessons"}), folder.run({"--help"})}) {
    EXPECT_EQ(e.status, 0) << e.err;
    EXPECT_THAT(e.out + e.err, Not(HasSubstr("\x1b"))) << "no colours, no cursor";
    EXPECT_THAT(e.out + e.err, Not(HasSubstr("\r")));
  }
}

// Of TVM's four records the second and the fourth have no time.
TEST_F(Verbs, OfRecordsWithoutATimeNoneIsTheFastest) {
  const std::string database = std::string(TILELOOM_SOURCE_DIR) + "/tests/document/database/";
  std::ifstream workloads(database + "database_workload.json"), records(database + "database_tuning_record.json");
  folder.file("database_workload.json", {std::istreambuf_iterator<char>(workloads), {}});
  std::string line, untimed, all;
  for (int number = 1; std::getline(records, line); ++number) {
    all += line + "\n";
    if (number % 2 == 0) untimed += line + "\n";
  }
  folder.file("database_tuning_record.json", all);
  const Ended timed = folder.run({"steps", "database_tuning_record.json"});
  EXPECT_THAT(timed.out, HasSubstr("3 is the fastest")) << timed.err;
  folder.file("database_tuning_record.json", untimed);
  const Ended e = folder.run({"steps", "database_tuning_record.json"});
  EXPECT_EQ(e.status, 0) << e.err;
  EXPECT_THAT(e.out, HasSubstr("timed none of them"));
  EXPECT_THAT(e.out, Not(HasSubstr("fastest")));
}

TEST_F(Verbs, ReplayPrintsEachStateUnderItsLine) {
  Ended each = folder.run({"replay", "f.py", "s.py", "--print", "each"});
  EXPECT_EQ(each.status, 0) << each.err;
  EXPECT_THAT(each.out, testing::StartsWith("# step 3: i0, i1 = sch.split(i, [None, 16])\n# from tvm.script"));
  EXPECT_THAT(each.out, HasSubstr("\n# step 5: sch.bind(i1, \"threadIdx.x\")\n"));
  EXPECT_THAT(each.err, testing::IsEmpty());
  Ended last = folder.run({"replay", "f.py", "s.py", "--dialect", "s_tir"});
  EXPECT_THAT(last.out, testing::StartsWith("# step 5:"));
  EXPECT_THAT(last.out, HasSubstr("with T.sblock(\"C\")"));
  Ended none = folder.run({"replay", "f.py", "s.py", "--print", "none", "--times"});
  EXPECT_THAT(none.out, testing::IsEmpty());
  EXPECT_THAT(none.err, HasSubstr("step 3 line 5: "));
}

// What a kernel doesn't do that its schedule says is told once, never among the texts.
TEST_F(Verbs, AnAnnotationWithoutEffectIsANote) {
  folder.file("a.py", kSchedule + tests::scheduleText("annotations_of_a_block"));
  const std::string said = "the annotation \"software_pipeline_stage\" of block C has no effect on the kernel\n";
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"steps", "f.py", "a.py", "--no-compile"},
                                             {"steps", "f.py", "a.py", "--no-compile", "--json"},
                                             {"replay", "f.py", "a.py"},
                                             {"replay", "f.py", "a.py", "--json"},
                                             {"export", "f.py", "a.py", "--as", "cuda", "-o", "-"},
                                             {"export", "f.py", "a.py", "--as", "project", "-o", "p"}}) {
    Ended e = folder.run(words);
    EXPECT_EQ(e.status, 0) << words[0] << e.err;
    const std::size_t at = e.err.find(said);
    ASSERT_NE(at, std::string::npos) << words[0] << e.err;
    EXPECT_EQ(e.err.find(said, at + 1), std::string::npos) << e.err;
    EXPECT_THAT(e.err, testing::StartsWith("note: step "));
    EXPECT_THAT(e.err, HasSubstr("the annotation \"more lines\" of block C"));
    const bool json = words.back() == "--json";
    EXPECT_EQ(e.out.find("has no effect") != std::string::npos, json) << e.out;
  }
  EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}).err, "") << "where there is nothing to say";
}

// TVM accepts both; the text is TVM's, and the step is told.
TEST_F(Verbs, AStepThatBreaksTheProgramIsAWarning) {
  folder.file("r.py", tests::programText("row_sum", {{"M", 4}, {"K", 6}}));
  folder.file("undeclared.py", tests::scheduleText("blockized_above_a_split"));
  folder.file("outside.py",
              "i, k = sch.get_loops(sch.get_block(\"C\"))\nsch.split(k, [None, 4], disable_predication=True)\n");
  for (const auto& [schedule, said] :
       std::map<std::string, std::string>{{"undeclared.py", "warning: step 2: block C_init uses k_0, k_1"},
                                          {"outside.py", "warning: step 1: from here on block C reads A at index 7"}}) {
    Ended replay = folder.run({"replay", "r.py", schedule});
    EXPECT_EQ(replay.status, 0) << replay.err;
    EXPECT_THAT(replay.err, HasSubstr(said));
    EXPECT_THAT(folder.run({"steps", "r.py", schedule, "--no-compile"}).err, HasSubstr(said));
    auto lines = objects(folder.run({"replay", "r.py", schedule, "--json"}).out);
    ASSERT_FALSE(lines.empty());
    ASSERT_TRUE(lines.back().contains("remarks")) << lines.back();
    EXPECT_EQ(lines.back()["remarks"][0]["kind"], "breaks");
  }
  Ended cuda = folder.run({"export", "r.py", "undeclared.py", "--as", "cuda", "-o", "-"});
  EXPECT_NE(cuda.status, 0);
  EXPECT_THAT(cuda.err, HasSubstr("block C_init uses k_0, k_1, which no loop around it declares"));
  EXPECT_THAT(cuda.out, Not(HasSubstr("k_0")));
  EXPECT_THAT(folder.run({"export", "r.py", "outside.py", "--as", "cuda", "-o", "-"}).err,
              HasSubstr("warning: step 1"));
}

TEST_F(Verbs, ReplayOfNoStepsPrintsTheFunction) {
  folder.file("empty.py", "");
  Ended plain = folder.run({"replay", "f.py", "empty.py"});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("for i, j, k in T.grid(64, 64, 64)"));
  auto lines = objects(folder.run({"replay", "f.py", "empty.py", "--json"}).out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["step"], 0);
}

TEST_F(Verbs, JsonIsOneObjectALine) {
  auto replay = objects(folder.run({"replay", "f.py", "s.py", "--json", "--print", "each"}).out);
  ASSERT_EQ(replay.size(), 3u);
  for (const char* key : {"line", "source", "script", "ms", "step"}) EXPECT_TRUE(replay[0].contains(key)) << key;
  auto steps = objects(folder.run({"steps", "f.py", "s.py", "--json", "--no-compile"}).out);
  ASSERT_GE(steps.size(), 4u);
  EXPECT_EQ(steps[3]["step"], 3);
  EXPECT_THAT(steps[3]["cuda"], HasSubstr("__global__"));
  EXPECT_EQ(steps[3]["launches"][0]["block"][0], 16);
  auto last = objects(folder.run({"steps", "f.py", "s.py", "--json", "--no-compile", "--last"}).out);
  ASSERT_FALSE(last.empty());
  EXPECT_EQ(last[0]["step"], 3);
  EXPECT_EQ(last[0]["key"], steps[3]["key"]) << "the last state, and it alone";
  EXPECT_TRUE(last.size() == 1 || last[1].contains("vendor"));
  auto check = objects(folder.run({"check", "f.py", "s.py", "--json"}).out);
  ASSERT_EQ(check.size(), 4u);
  EXPECT_EQ(check[3]["status"], "verified");
  std::vector<std::string> lessons;
  for (const auto& lesson : objects(folder.run({"lessons", "--json"}).out)) lessons.push_back(lesson["name"]);
  EXPECT_THAT(lessons, testing::Contains("tensor_core"));
  EXPECT_EQ(objects(folder.run({"doctor", "--json"}).out)[0]["check"], "assets");
  EXPECT_FALSE(objects(folder.run({"devices", "--json"}).out).empty());
}

TEST_F(Verbs, LessonsSpeakTheLanguageAskedFor) {
  EXPECT_THAT(folder.run({"lessons"}).out, HasSubstr("Tensor cores"));
  EXPECT_THAT(folder.run({"lessons", "--lang", "zh"}).out, HasSubstr("张量核心"));
  EXPECT_THAT(folder.run({"lessons"}, {.environment = {{"LANG", "zh_CN.UTF-8"}}}).out, HasSubstr("张量核心"));
  EXPECT_THAT(folder.run({"lessons", "--lang", "en"}, {.environment = {{"LANG", "zh_CN.UTF-8"}}}).out,
              HasSubstr("Tensor cores"));
  EXPECT_EQ(folder.run({"lessons", "--lang", "fr"}).status, 64);
}

TEST_F(Verbs, ExportWritesEveryTextThatNeedsNoCompiler) {
  for (const char* kind : {"tvmscript", "s_tir", "python", "trace", "cuda", "document"}) {
    Ended to = folder.run({"export", "f.py", "s.py", "--as", kind, "-o", kind});
    EXPECT_EQ(to.status, 0) << kind << to.err;
    Ended shown = folder.run({"export", "f.py", "s.py", "--as", kind, "-o", "-"});
    EXPECT_EQ(shown.out, folder.read(kind)) << kind;
  }
  EXPECT_EQ(folder.run({"export", "f.py", "s.py", "--as", "project", "-o", "project"}).status, 0);
  for (const char* name : {"CMakeLists.txt", "main.cu", "kernel.cuh", "schedule.py"}) {
    EXPECT_FALSE(folder.read(std::string("project/") + name).empty()) << name;
  }
  Ended first = folder.run({"export", "f.py", "s.py", "--as", "tvmscript", "--step", "1", "-o", "-"});
  EXPECT_THAT(first.out, HasSubstr("T.grid(4, 16, 64, 64)"));
}

TEST_F(Verbs, ExportWritesReportsAndTables) {
  // A whole lesson's is report_test's: it takes a minute.
  const Ended part =
      folder.run({"export", "tensor_core", "--as", "report", "--chapter", "tile", "-o", "r.html"}, {.seconds = 120});
  EXPECT_EQ(part.status, 0) << part.err;
  EXPECT_THAT(folder.read("r.html"), HasSubstr("<!DOCTYPE html>"));
  folder.run({"export", "tensor_core", "--as", "report", "--chapter", "bind", "--lang", "zh", "-o", "b.html"},
             {.seconds = 120});
  EXPECT_THAT(folder.read("b.html"), HasSubstr("放到 GPU 上"));
  EXPECT_THAT(folder.read("b.html"), testing::Not(HasSubstr("X 进入共享内存")));
  Ended table = folder.run({"export", "f.py", "s.py", "--as", "csv", "-o", "-"});
  EXPECT_THAT(table.out, testing::StartsWith("step,"));
  EXPECT_EQ(folder.run({"export", "f.py", "s.py", "--as", "report", "-o", "no/such/folder/r.html"}).status, 74);
  EXPECT_EQ(folder.run({"export", "f.py", "--as", "reports", "-o", "r"}).status, 64);
}

// A lesson that branches has more than one last state.
TEST_F(Verbs, ExportTakesTheChapterThatIsNamed) {
  auto cuda = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"export", "tensor_core", "--as", "cuda", "-o", "-"});
    return folder.run(words);
  };
  EXPECT_THAT(cuda({"--chapter", "store"}).out, HasSubstr("half X_shared[8192]"));
  EXPECT_THAT(cuda({"--chapter", "store"}).out,
              HasSubstr("//   main_kernel<<<dim3(64, 1, 1), dim3(32, 16, 1), 0>>>(X, Y, Z);\n// where, row by row,\n"
                        "//   X: float16[1024, 1024]\n"));
  Ended align = cuda({"--chapter", "align"}), last = cuda({});
  EXPECT_NE(align.out, last.out);
  EXPECT_EQ(cuda({"--chapter", "again"}).out, last.out);
  EXPECT_EQ(cuda({"--chapter", "align", "--step", "48"}).out, cuda({"--chapter", "store"}).out);
  Ended none = cuda({"--chapter", "nowhere"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no chapter \"nowhere\" (chapters: start, tile"));
  EXPECT_EQ(folder.run({"export", "f.py", "s.py", "--as", "cuda", "--chapter", "store", "-o", "-"}).status, 2);
}

// Whoever launches a kernel for all sizes needs to know where elements lie, and which numbers come to nothing.
TEST_F(Verbs, ExportedKernelsSayWhatTheirNumbersAreFor) {
  folder.file("sizes.py", tests::programText("copy_with_unused_numbers"));
  const Ended cuda = folder.run({"export", "sizes.py", "--as", "cuda", "-o", "-"});
  ASSERT_EQ(cuda.status, 0) << cuda.err;
  EXPECT_THAT(cuda.out, HasSubstr("//   A: float32[n, 8], strides (s, 1), "));
  EXPECT_THAT(cuda.out, HasSubstr("//   s: int32\n"));
  EXPECT_THAT(cuda.out, HasSubstr("//   unused: float32, which no kernel takes\n"));
}

TEST_F(Verbs, ExportsReadBack) {
  folder.run({"export", "f.py", "s.py", "--as", "trace", "-o", "trace.json"});
  folder.run({"export", "f.py", "s.py", "--as", "document", "-o", "d.tileloom"});
  std::string wanted = folder.run({"export", "f.py", "s.py", "--as", "tvmscript", "-o", "-"}).out;
  EXPECT_EQ(folder.run({"export", "f.py", "trace.json", "--as", "tvmscript", "-o", "-"}).out, wanted);
  EXPECT_EQ(folder.run({"export", "d.tileloom", "--as", "tvmscript", "-o", "-"}).out, wanted);
  EXPECT_THAT(folder.run({"replay", "f.py", "trace.json"}).out, HasSubstr(wanted));
}

TEST_F(Verbs, StepsShowsOriginSpeedUpsAndReasons) {
  Ended e = folder.run({"steps", "tensor_core", "--no-compile", "--device", "none"});
  EXPECT_EQ(e.status, 0) << e.err;
  EXPECT_THAT(e.out, HasSubstr("recorded"));
  EXPECT_THAT(e.out, HasSubstr("cuBLASLt"));
  EXPECT_THAT(e.out, testing::ContainsRegex("Recorded times: .*, 20[0-9-]+"));
  EXPECT_THAT(e.out, HasSubstr("No kernel, because:"));
  EXPECT_THAT(e.out, HasSubstr("48 "));
}

// Verbs parse an intrinsic when it is asked for, and so can't say it at once.
TEST_F(Verbs, AFileOfIntrinsicsThatIsWrongIsSaidByDoctorAndByTheStepThatWantsIt) {
  const std::filesystem::path assets = folder.path() / "assets";
  std::filesystem::copy(TILELOOM_SOURCE_DIR "/assets", assets, std::filesystem::copy_options::recursive);
  Surroundings there{.environment = {{"TILELOOM_ASSETS", assets.string()}}};
  EXPECT_THAT(folder.run({"doctor"}, there).out, testing::ContainsRegex("ok +intrinsics"));
  std::ofstream(assets / "intrinsics" / "dp4a.py", std::ios::app) << "        D[0] = A[0]\n";
  EXPECT_THAT(folder.run({"doctor"}, there).out, testing::ContainsRegex("missing intrinsics +dp4a.py:[0-9]+"));
  std::ofstream(folder.path() / "t.py") << "sch.tensorize(sch.get_loops(sch.get_block(\"C\"))[2], \"dp4a_s8s8s32\")\n";
  EXPECT_THAT(folder.run({"replay", "f.py", "t.py"}, there).err, HasSubstr("'dp4a_s8s8s32' can't be read"));
  EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}, there).status, 0);
}

TEST_F(Verbs, NoToolkitIsAClearLineAndStatusFourWhereItIsNeeded) {
  Surroundings bare{.environment = {{"TILELOOM_CUDA", "/nonexistent"}}};
  EXPECT_THAT(folder.run({"doctor"}, bare).out, testing::ContainsRegex("missing NVRTC +no NVRTC library found"));
  Ended steps = folder.run({"steps", "f.py", "s.py"}, bare);
  EXPECT_EQ(steps.status, 0) << steps.err;
  EXPECT_THAT(steps.out, HasSubstr("Nothing was compiled: no NVRTC library found"));
  for (const char* kind : {"ptx", "sass"}) {
    Ended e = folder.run({"export", "f.py", "s.py", "--as", kind, "-o", "x"}, bare);
    EXPECT_EQ(e.status, 4) << kind;
    EXPECT_THAT(e.err, HasSubstr("error[No")) << kind;
  }
}

TEST_F(Verbs, AToolkitThatAVariableNamesInVainIsTold) {
  if (folder.run({"doctor"}).out.find("ok      compiler") == std::string::npos) GTEST_SKIP() << "no toolkit here";
  Surroundings named{.environment = {{"CUDA_HOME", "/nonexistent"}}};
  const std::string said = "$CUDA_HOME names /nonexistent, where no NVRTC is";
  EXPECT_THAT(folder.run({"steps", "f.py", "s.py"}, named).err, HasSubstr("note: " + said));
  EXPECT_THAT(folder.run({"doctor"}, named).out, HasSubstr(said));
  EXPECT_THAT(folder.run({"steps", "f.py", "s.py"}).err, Not(HasSubstr("CUDA_HOME")));
}

TEST_F(Verbs, MachineCodeIsThatOfTheModelsDevice) {
  if (folder.run({"doctor"}).out.find("ok      compiler") == std::string::npos) GTEST_SKIP() << "no toolkit here";
  for (const auto& [model, target] : std::vector<std::pair<std::string, std::string>>{
           {"t4", "sm_75"}, {"a100_40", "sm_80"}, {"rtx_3080", "sm_86"}, {"h100_sxm", "sm_90a"}}) {
    Ended ptx = folder.run({"export", "f.py", "s.py", "--as", "ptx", "-o", "-", "--model", model});
    EXPECT_EQ(ptx.status, 0) << ptx.err;
    EXPECT_THAT(ptx.out, HasSubstr(".target " + target + "\n"));
    auto steps = objects(folder.run({"steps", "f.py", "s.py", "--last", "--json", "--model", model}).out);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps[0]["model"]["device"], model);
    EXPECT_EQ(steps[0]["model"]["architecture"], target);
  }
  EXPECT_THAT(folder.run({"export", "f.py", "s.py", "--as", "ptx", "-o", "-"}).out, HasSubstr(".target sm_90a"))
      << "the recorded device's";
}

TEST_F(Verbs, NoDeviceIsStatusFourOnlyWhereOneWasAskedFor) {
  if (folder.run({"devices", "--device", "0"}).status == 0) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(folder.run({"steps", "f.py"}).status, 0);
  for (const auto& words : std::vector<std::vector<std::string>>{{"steps", "f.py", "--device", "0"},
                                                                 {"record", "f.py", "s.py", "-o", "r.json"},
                                                                 {"devices", "--device", "0"}}) {
    Ended e = folder.run(words);
    EXPECT_EQ(e.status, 4) << words[0];
    EXPECT_THAT(e.err, HasSubstr("error[NoDriver]")) << words[0];
  }
}

TEST_F(Verbs, NoDisplayIsStatusSixtyNine) {
  for (const auto& words : std::vector<std::vector<std::string>>{{}, {"f.py"}, {"screenshots", "shots"}}) {
    Ended e = folder.run(words);
    EXPECT_EQ(e.status, 69) << e.out << e.err;
    EXPECT_FALSE(e.err.empty());
  }
}

// A worker that was named is a device that was asked for.
TEST_F(Verbs, AWorkerThatIsLostIsStatusSix) {
  for (const char* worker : {"nonsense", "false", "cat /dev/null", "head -c 8", "echo hello", "yes '{}'"}) {
    for (const auto& words : std::vector<std::vector<std::string>>{{"devices"},
                                                                   {"devices", "--device", "0"},
                                                                   {"steps", "f.py", "s.py", "--no-compile"},
                                                                   {"record", "f.py", "s.py", "-o", "r.json"},
                                                                   {"export", "f.py", "--as", "ptx", "-o", "x"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--worker", worker});
      Ended e = folder.run(all);
      EXPECT_EQ(e.status, 6) << worker << ": " << words[0] << "\n" << e.out << e.err;
      EXPECT_THAT(e.err, HasSubstr("worker")) << words[0];
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "r.json"));
  EXPECT_EQ(folder.run({"devices", "--worker", "nonsense", "--device", "none"}).status, 0) << "nobody asks it";
  EXPECT_THAT(folder.run({"doctor", "--worker", "nonsense"}).out, HasSubstr("missing device"));
}

TEST_F(Verbs, AKernelPastItsDeadlineIsStatusSixAndTheRestIsThere) {
  folder.file("slow.py", product("2048"));
  const std::string cpu = "'" TILELOOM_BINARY_DIR "/tileloom' worker --cpu";
  Ended e = folder.run({"steps", "slow.py", "s.py", "--no-compile", "--deadline", "0.2", "--worker", cpu});
  EXPECT_EQ(e.status, 6) << e.out << e.err;
  EXPECT_THAT(e.out, HasSubstr("too long"));
  EXPECT_THAT(e.out, HasSubstr("threadIdx.x"));
  EXPECT_THAT(e.out + e.err, Not(HasSubstr("\x1b"))) << "progress is for terminals";
}

TEST_F(Verbs, ADeviceThatTheWorkerLacksIsStatusFour) {
  const std::string cpu = "'" TILELOOM_BINARY_DIR "/tileloom' worker --cpu";
  EXPECT_EQ(folder.run({"devices", "--worker", cpu, "--device", "0"}).status, 0);
  Ended e = folder.run({"devices", "--worker", cpu, "--device", "99"});
  EXPECT_EQ(e.status, 4);
  EXPECT_THAT(e.err, HasSubstr("error[NoDevice]: there is no device 99"));
}

// Silence would be taken for consent.
TEST_F(Verbs, WhatCouldNotBeCheckedIsNotDoneUnlessAsked) {
  folder.file("big.py", tests::programText("diagonal_of_a_huge_matrix"));
  folder.file("nothing.py", "");
  const Ended refused = folder.run({"check", "big.py", "nothing.py"});
  EXPECT_EQ(refused.status, 3) << refused.out;
  EXPECT_THAT(refused.out, HasSubstr("not run: "));
  EXPECT_THAT(refused.err, HasSubstr("error[NotExecutable]"));
  EXPECT_EQ(folder.run({"check", "big.py", "nothing.py", "--allow-unchecked"}).status, 0);
}

TEST_F(Verbs, AWrongResultIsStatusFive) {
  std::string text = product();
  text.replace(text.find("A[vi, vk]"), 9, "A[vi, vk + 1]");  // past the end of A
  folder.file("wrong.py", text);
  Ended e = folder.run({"check", "wrong.py", "s.py"});
  EXPECT_EQ(e.status, 5) << e.out << e.err;
  EXPECT_THAT(e.out, HasSubstr("out of bounds"));
}

TEST_F(Verbs, ABareEnvironmentWillDo) {
  Surroundings bare{.bare = true};
  EXPECT_EQ(folder.run({"lessons"}, bare).status, 0);
  EXPECT_EQ(folder.run({"replay", "f.py", "s.py"}, bare).status, 0);
  Ended steps = folder.run({"steps", "f.py", "s.py"},
                           {.environment = {{"HOME", "/nonexistent"}, {"XDG_DATA_HOME", "/proc"}, {"LANG", "C"}}});
  EXPECT_EQ(steps.status, 0) << steps.err;
  EXPECT_THAT(steps.err, HasSubstr("won't be kept")) << "a data folder that can't be written is said";
}

TEST_F(Verbs, StepsAsJsonComeOneAfterAnother) {
  const Ended all = folder.run({"steps", "tensor_core", "--json", "--no-compile"}, {.seconds = 120});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_GT(std::count(all.out.begin(), all.out.end(), '\n'), 50);
  EXPECT_GE(all.firstOutput, 0);
  EXPECT_LT(all.firstOutput, 0.6 * all.seconds) << "of " << all.seconds << " s";
}

}  // namespace
}  // namespace loom::cli::verbs_test
