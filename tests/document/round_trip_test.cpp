// Everything that is exported as a program or a schedule opens again, and is the state that it was.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "core/document/export.h"
#include "core/document/file.h"
#include "core/schedule/trace.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"
#include "tests/schedules/turn.h"

namespace loom::document::round_trip_test {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases";

std::string scriptAt(const Target& target, int node) { return target.history.node(node).script->text; }

// The state that a target ends with.
std::string lastOf(const Result<Target>& target) {
  if (!target) return target.error().code + ": " + target.error().message.english();
  if (target->refusal) return target->refusal->code + ": " + target->refusal->message.english();
  return scriptAt(*target, int(target->history.nodes().size()) - 1);
}

class Exported : public testing::Test {
 protected:
  Exported() {
    std::string name = (fs::temp_directory_path() / "exported.XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~Exported() override { fs::remove_all(folder); }

  std::string file(const std::string& name, const std::string& content) {
    std::ofstream(folder / name) << content;
    return (folder / name).string();
  }

  Result<Target> open(const std::vector<std::string>& words) { return openTarget(words, assets(), environment()); }

  // A function and its schedule, of which no line is refused and whose last state is a kernel.
  std::optional<Target> openKernel(const std::string& function, const std::string& schedule) {
    auto target = open({function, schedule});
    if (!target || target->refusal) {
      ADD_FAILURE() << (target ? *target->refusal : target.error()).message.english();
      return std::nullopt;
    }
    EXPECT_NE(kernels(*target, lastNode(*target)), "");
    return std::move(*target);
  }
  static int lastNode(const Target& target) { return int(target.history.nodes().size()) - 1; }

  std::string exported(const Target& target, int node, const std::string& kind) {
    auto files = exportState(target, node, kind, bench, environment());
    return files ? files->at("") : files.error().code + ": " + files.error().message.english();
  }

  // As TVM prints a trace: with its header, the lines indented.
  static std::string printed(const Target& target, int node) {
    auto calls = script::parseSchedule(target.history.schedule(node), "");
    auto trace = schedule::traceOf(target.history.node(0).state.module(), *calls, environment());
    if (!trace) return trace.error().message.english();
    std::string text = "# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n";
    const std::string lines = trace->python();
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = lines.find('\n', at);
      text += "  " + lines.substr(at, end - at) + "\n";
      at = end + 1;
    }
    return text;
  }

  // The kernels of a state without the comment that names the document; "" where it makes none.
  std::string kernels(const Target& target, int node) {
    auto files = exportState(target, node, "cuda", bench, environment());
    if (!files) return "";
    const std::string& text = files->at("");
    return text.substr(std::min(text.find("extern"), text.size()));
  }

  // As a file of function and schedule, which `steps` opens; `node` is on the way to the last state.
  void expectPythonToOpenAgain(const Target& target, int node) {
    auto again = open({file("python.py", exported(target, node, "python"))});
    ASSERT_EQ(lastOf(again), scriptAt(target, node)) << "Python";
    EXPECT_EQ(kernels(*again, lastNode(*again)), kernels(target, node)) << "Python";
  }

  void expectToOpenAgain(const Target& target, int node) {
    expectPythonToOpenAgain(target, node);
    const std::string wanted = scriptAt(target, node);
    const std::string func = file("func.py", scriptAt(target, 0));
    EXPECT_EQ(lastOf(open({func, file("trace.json", exported(target, node, "trace"))})), wanted) << "trace";
    EXPECT_EQ(lastOf(open({func, file("trace.py", printed(target, node))})), wanted) << "printed trace";
    EXPECT_EQ(lastOf(open({file("last.py", exported(target, node, "tvmscript"))})), wanted) << "TVMScript";
    // Current TVM's text names no handles: what opens of it has the same text there.
    const std::string newer = exported(target, node, "s_tir");
    auto again = open({file("last_s.py", newer)});
    ASSERT_TRUE(again) << again.error().message.english();
    EXPECT_EQ(exported(*again, 0, "s_tir"), newer) << "s_tir";
  }

  fs::path folder;
  Bench bench{BenchOptions{}};
};

TEST_F(Exported, LastStatesOfLessonsOpenAgain) {
  for (const char* name : {"tensor_core", "cuda_cores"}) {
    SCOPED_TRACE(name);
    auto lesson = openTarget({name}, assets(), environment());
    ASSERT_TRUE(lesson) << lesson.error().message.english();
    expectToOpenAgain(*lesson, lesson->chapterNodes.back());
  }
}

TEST_F(Exported, AStateOfADocumentOpensAgain) {
  const Target target = scheduled(kBound);
  const int last = lastNode(target);
  expectToOpenAgain(target, last);
  auto again = open({file("d.tileloom", exported(target, last, "document"))});
  EXPECT_EQ(lastOf(again), scriptAt(target, last));
}

TEST_F(Exported, AStateOfAFunctionOfSymbolicSizesOpensAgain) {
  const std::string func = file("symbolic.py", tests::programText("doubled_rows"));
  const std::string lines = file("symbolic.sched.py", tests::scheduleText("symbolic_copy"));
  const auto target = openKernel(func, lines);
  ASSERT_TRUE(target);
  expectToOpenAgain(*target, lastNode(*target));
}

// By threads and by tensor cores: every text, the document, and what a project is built of.
TEST_F(Exported, StatesOfElementsThatShareBytesOpenAgain) {
  struct Case {
    const char *type, *name;
    int k;
  };
  for (const Case& c : {Case{"int4", "s4", 32}, Case{"uint4", "u4", 32}, Case{"uint1", "b1", 128}}) {
    SCOPED_TRACE(c.type);
    const std::string func = file(
        "shared.py", tests::programText("product_of_shared_bytes",
                                        {{"M", 16},
                                         {"N", 32},
                                         {"K", 1024},
                                         {"TYPE", c.type},
                                         {"TERM", "T.Cast(\"int32\", A[vi, vk]) * T.Cast(\"int32\", B[vj, vk])"}}));
    const std::string shape = fmt::format("8x8x{}", c.k), load = fmt::format("wmma_load_{}_{}", shape, c.name);
    const std::string byThreads =
        file("threads.py", tests::scheduleText("shared_bytes_by_threads", {{"STEP", 1024}, {"VECTOR", 32}}));
    const std::string byTiles =
        file("tiles.py", tests::scheduleText("tiles_of_shared_bytes",
                                             {{"K", c.k},
                                              {"VECTOR", c.k / 4},
                                              {"FILL", fmt::format("wmma_fill_{}_s32", shape)},
                                              {"LOAD_A", load + "_a_shared"},
                                              {"LOAD_B", load + "_b_trans_shared"},
                                              {"MULTIPLY", fmt::format("wmma_sync_{0}_{1}{1}s32_trans", shape, c.name)},
                                              {"STORE", fmt::format("wmma_store_{}_s32_global", shape)}}));
    for (const std::string& schedule : {byThreads, byTiles}) {
      const auto target = openKernel(func, schedule);
      ASSERT_TRUE(target);
      const int last = lastNode(*target);
      expectToOpenAgain(*target, last);
      auto again = open({file("d.tileloom", exported(*target, last, "document"))});
      ASSERT_EQ(lastOf(again), scriptAt(*target, last)) << "document";
      EXPECT_EQ(kernels(*again, lastNode(*again)), kernels(*target, last));
      const auto project = exportState(*target, last, "project", bench, environment());
      ASSERT_TRUE(project) << project.error().message.english();
      bool allocates = false;
      for (const auto& [name, text] : *project)
        allocates |= text.find(std::to_string(16 * 1024 * (c.k == 32 ? 4 : 1) / 8)) != std::string::npos;
      EXPECT_TRUE(allocates) << "the bytes of A";
    }
  }
}

// What a schedule's own script registers stands in the Python that is exported, and in no trace.
TEST_F(Exported, AStateOfRegisteredIntrinsicsOpensAgain) {
  const std::string func =
      file("copy.py",
           tests::programText("named_copy", {{"FROM", "A"}, {"TO", "B"}, {"SHAPE", "(64, 64)"}, {"BLOCK", "copy"}}));
  const std::string script = file("copy.sched.py", tests::scheduleText("registered_copy"));
  const auto target = openKernel(func, script);
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->own);
  const int last = lastNode(*target);
  expectPythonToOpenAgain(*target, last);
  EXPECT_EQ(lastOf(open({file("last.py", exported(*target, last, "tvmscript"))})), scriptAt(*target, last));
}

TEST_F(Exported, StatesOfGoldenCasesOpenAgain) {
  const tests::Turn turn(4);
  std::vector<std::string> schedules;
  for (const char* group : {"split", "reorder", "cache_read", "cache_write", "workloads", "accessors", "tensorize"}) {
    for (const auto& entry : fs::directory_iterator(kCases / group)) {
      const std::string schedule = entry.path().string();
      if (!schedule.ends_with(".sched.py") || fs::exists(schedule.substr(0, schedule.size() - 9) + ".error.txt"))
        continue;
      schedules.push_back(schedule);
    }
  }
  std::ranges::sort(schedules);
  std::size_t count = 0;
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    if (!turn.has(n)) continue;
    const std::string& schedule = schedules[n];
    SCOPED_TRACE(schedule);
    auto target = open({schedule.substr(0, schedule.size() - 9) + ".func.py", schedule});
    ASSERT_TRUE(target) << target.error().message.english();
    if (target->refusal) continue;  // of a primitive or an intrinsic that isn't there yet
    expectToOpenAgain(*target, lastNode(*target));
    ++count;
  }
  EXPECT_GT(count, 40 / turn.parts());
}

}  // namespace
}  // namespace loom::document::round_trip_test
