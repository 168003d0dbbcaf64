// A schedule survives the way through TVM's trace: as JSON, as TVM's saved object graph, and as Python.
#include "core/schedule/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/intrin/intrinsic.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"
#include "tests/schedules/turn.h"

namespace loom::schedule::trace_test {
namespace {

namespace fs = std::filesystem;
const fs::path kTracedCases = fs::path(TILELOOM_SOURCE_DIR) / "tests/oracle/cases";

std::string textOf(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Session {
  intrin::Library intrinsics = intrin::Library::load(fs::path(TILELOOM_SOURCE_DIR) / "assets/intrinsics").value();
  Environment environment{&intrinsics};

  // The module's text after the lines, or the refusal's code.
  std::string last(const ir::Module& module, const std::string& lines) const {
    auto calls = script::parseSchedule(lines, "s.py");
    if (!calls) return calls.error().message.english() + "\n" + lines;
    auto state = State::create(module);
    if (!state) return state.error().message.english();
    const ReplayEnd done = replayToEnd(*state, *calls, environment);
    return done.refusal ? done.refusal->code + ": " + done.refusal->message.english()
                        : script::print(done.last.module()).text;
  }
};

const Session& session() {
  static const Session kSession;
  return kSession;
}

ir::Module moduleOf(const fs::path& base) {
  return script::parseModule(textOf(base.string() + ".func.py"), base.string()).value();
}

Result<Trace> traceOfCase(const fs::path& base) {
  auto calls = script::parseSchedule(textOf(base.string() + ".sched.py"), base.string());
  if (!calls) return Failure(calls.error());
  return traceOf(moduleOf(base), *calls, session().environment);
}

TEST(ScheduleTrace, EveryCaseComesBackFromJsonAndPython) {
  const tests::Turn turn(2);
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kTracedCases))
    if (entry.path().string().ends_with(".sched.py")) names.push_back(entry.path().string());
  std::ranges::sort(names);
  std::size_t exchanged = 0;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (!turn.has(n)) continue;
    const std::string& name = names[n];
    fs::path base = name.substr(0, name.size() - std::string_view(".sched.py").size());
    auto trace = traceOfCase(base);
    if (!trace) continue;  // refused, or of a primitive that isn't there yet
    SCOPED_TRACE(base);
    ir::Module module = moduleOf(base);
    std::string wanted = session().last(module, textOf(name));
    auto lines = stepLines(trace->json(), "trace.json");
    ASSERT_TRUE(lines) << lines.error().message.english() << "\n" << trace->json();
    EXPECT_EQ(session().last(module, *lines), wanted);
    EXPECT_EQ(session().last(module, trace->python()), wanted);
    EXPECT_EQ(trace->python(), *lines);
    ++exchanged;
  }
  EXPECT_GT(exchanged, 150 / turn.parts());
}

// Of lessons, and of what TVM's MetaSchedule made of operators: its sampling steps and what its postprocs added.
TEST(ScheduleTrace, OfLessonsAndTunersIsTvmsTextAndLeadsToTheSameModule) {
  int schedules = 0, traces = 0;
  std::vector<fs::path> files;
  for (const char* folder : {"lessons", "metaschedule"}) {
    for (const auto& entry : fs::directory_iterator(kTracedCases / folder)) files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    std::string name = file.string();
    if (name.ends_with(".sched.py")) ++schedules;
    if (!name.ends_with(".trace.json")) continue;
    fs::path base = name.substr(0, name.size() - std::string_view(".trace.json").size());
    SCOPED_TRACE(base);
    auto trace = traceOfCase(base);
    ASSERT_TRUE(trace) << trace.error().message.english();
    EXPECT_EQ(trace->json() + "\n", textOf(name));
    auto lines = stepLines(textOf(name), name);
    ASSERT_TRUE(lines) << lines.error().message.english();
    EXPECT_EQ(session().last(moduleOf(base), *lines),
              session().last(moduleOf(base), textOf(base.string() + ".sched.py")));
    ++traces;
  }
  EXPECT_EQ(traces, schedules);
  EXPECT_GT(schedules, 12);
}

// As tvm.ir.save_json writes it: nodes by index, numbers as text, strings with quotes in base64.
TEST(ScheduleTrace, ReadsTheGraphThatTvmSaves) {
  auto lines = stepLines(R"({"root": 1, "nodes": [{"type_key": ""},
      {"type_key": "ffi.Array", "data": [2, 9]}, {"type_key": "ffi.Array", "data": [3]},
      {"type_key": "ffi.Array", "data": [4, 5, 12, 9]}, {"type_key": "ffi.String", "repr_str": "Annotate"},
      {"type_key": "ffi.Array", "data": [6, 7]}, {"type_key": "ffi.String", "repr_str": "b0"},
      {"type_key": "ffi.Map", "keys": ["f", "i", "t"], "data": [8, 10, 11]},
      {"type_key": "float", "attrs": {"v_float64": "0.500000"}}, {"type_key": "ffi.Array"},
      {"type_key": "ir.IntImm", "attrs": {"dtype": "int32", "value": "-4"}},
      {"type_key": "bool", "attrs": {"v_int64": "1"}}, {"type_key": "ffi.Array", "data": [13]},
      {"type_key": "ffi.String", "repr_b64": "CAAAAAAAAAAidGUieAp0Ig=="}]})",
                         "t.json");
  ASSERT_TRUE(lines) << lines.error().message.english();
  EXPECT_EQ(*lines,
            "sch.annotate(block_or_loop=b0, ann_key=\"\\\"te\\\"x\\nt\\\"\", "
            "ann_val={\"f\": 0.5, \"i\": -4, \"t\": True})\n");
}

// What a sampling instruction decided stands in the graph's second list, its instruction as a node of its own.
TEST(ScheduleTrace, ReadsTheDecisionsOfAGraph) {
  const std::string graph = R"({"root": 1, "nodes": [{"type_key": ""},
      {"type_key": "ffi.Array", "data": [2, 12]}, {"type_key": "ffi.Array", "data": [3]},
      {"type_key": "ffi.Array", "data": [4, 5, 7, 10]}, {"type_key": "ffi.String", "repr_str": "SamplePerfectTile"},
      {"type_key": "ffi.Array", "data": [6]}, {"type_key": "ffi.String", "repr_str": "l1"},
      {"type_key": "ffi.Array", "data": [8, 9]},
      {"type_key": "ir.IntImm", "attrs": {"dtype": "int32", "value": "2"}},
      {"type_key": "ir.IntImm", "attrs": {"dtype": "int32", "value": "16"}},
      {"type_key": "ffi.Array", "data": [6, 11]}, {"type_key": "ffi.String", "repr_str": "v3"},
      {"type_key": "ffi.Array", "data": [13]}, {"type_key": "ffi.Array", "data": [14, 15]},
      {"type_key": "ir.IntImm", "attrs": {"dtype": "int32", "value": "DECIDES"}},
      {"type_key": "ffi.Array", "data": [9, 8]}]})";
  const auto read = [&](const std::string& instruction) {
    std::string text = graph;
    text.replace(text.find("DECIDES"), 7, instruction);
    return stepLines(text, "t.json");
  };
  const auto lines = read("0");
  ASSERT_TRUE(lines) << lines.error().message.english();
  EXPECT_THAT(*lines, testing::HasSubstr("decision=[16, 2]"));
  for (const char* other : {"1", "-1"}) {
    ASSERT_FALSE(read(other)) << other;
    EXPECT_THAT(read(other).error().message.english(), testing::HasSubstr("a decision of the trace")) << other;
  }
}

TEST(ScheduleTrace, NamesGivenAsTextAreLookedUpAsTvmDoes) {
  auto module = moduleOf(kTracedCases / "cache_read" / "by_name");
  auto calls = script::parseSchedule(textOf(kTracedCases / "cache_read" / "by_name.sched.py"), "s.py");
  ASSERT_TRUE(calls);
  auto trace = traceOf(module, *calls, session().environment);
  ASSERT_TRUE(trace) << trace.error().message.english();
  EXPECT_EQ(trace->calls().front().primitive, "get_block");
  EXPECT_EQ(trace->python().find("read_buffer_index=\""), std::string::npos);
}

TEST(ScheduleTrace, StepLinesPassThroughUnchanged) {
  EXPECT_EQ(*stepLines("b = sch.get_block(\"B\")\n", "s.py"), "b = sch.get_block(\"B\")\n");
  EXPECT_EQ(*stepLines("", "s.py"), "");
}

TEST(ScheduleTrace, RefusesWhatIsNoTraceOfThese) {
  auto code = [](const std::string& text) {
    auto lines = stepLines(text, "t.json");
    EXPECT_FALSE(lines) << text;
    if (lines) return std::string("accepted");
    EXPECT_EQ(lines.error().place.file, "t.json") << text;
    EXPECT_TRUE(isUnreadable(lines.error())) << text;
    return lines.error().code;
  };
  EXPECT_EQ(code("["), "ParseError");
  EXPECT_EQ(code("{}"), "ParseError");
  EXPECT_EQ(code(R"([[["Teleport", [], [], []]], []])"), "AttributeError");
  EXPECT_EQ(code(R"([[["", ["main"], [], []]], []])"), "AttributeError");  // work_on is not traced
  EXPECT_EQ(code(R"([[["Split", ["l1", 2, 4], [true], ["l2", "l3"]]], []])"), "ParseError");
  EXPECT_EQ(code(R"([[["Bind", ["l1"], ["threadIdx.x", 1], []]], []])"), "ParseError");
}

TEST(ScheduleTrace, RefusesGraphsThatLieAboutThemselves) {
  auto refused = [](const std::string& nodes) {
    auto lines = stepLines(R"({"root": 1, "nodes": [{"type_key": ""}, )" + nodes + "]}", "t.json");
    return !lines && lines.error().code == "ParseError";
  };
  EXPECT_TRUE(refused(R"({"type_key": "ffi.Array", "data": [7, 8]})"));
  EXPECT_TRUE(refused(R"({"type_key": "ffi.Array", "data": [1, 1]})"));
  EXPECT_TRUE(refused(R"({"type_key": "ffi.Array", "data": "x"})"));
  EXPECT_TRUE(refused(R"({"type_key": "tir.IndexMap"})"));
  EXPECT_TRUE(refused(R"({"data": []})"));
  EXPECT_TRUE(refused(R"(7)"));
  EXPECT_TRUE(refused(R"({"type_key": "ffi.String", "repr_b64": "////"})"));
  EXPECT_TRUE(refused(R"({"type_key": "ffi.Map", "keys": ["a"], "data": []})"));
  EXPECT_TRUE(refused(R"({"type_key": "int", "attrs": {"v_int64": "12x"}})"));
  // Each node names the next one twice: 2^60 values if it were unfolded.
  std::string doubling;
  for (int i = 1; i <= 60; ++i) {
    std::string next = std::to_string(i + 1);
    doubling += R"({"type_key": "ffi.Array", "data": [)" + next + ", " + next + "]}, ";
  }
  EXPECT_TRUE(refused(doubling + R"({"type_key": "ffi.Array"})"));
}

// TVM names a result once; a file may name one that was never given, or give one twice.
TEST(ScheduleTrace, NamesThatWereNeverGivenAreRefusedWhenApplied) {
  auto module = moduleOf(kTracedCases / "fuse" / "two");
  auto lines = stepLines(R"([[["GetLoops", ["b9"], [], ["l1", "l2"]]], []])", "t.json");
  ASSERT_TRUE(lines);
  EXPECT_TRUE(session().last(module, *lines).starts_with("NameError")) << session().last(module, *lines);
}

}  // namespace
}  // namespace loom::schedule::trace_test
