#include "core/model/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/compile/program_key.h"
#include "tests/document/awaiting_recording.h"
#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::estimate_test {
namespace {

struct LoweredState {
  device::Program program;
  codegen::Source source;
};

// Kernels of the states that follow one of these step lines, anywhere in the lesson's schedules, by key.
std::map<std::string, LoweredState> lessonStates(const std::string& lesson, const std::set<std::string>& steps) {
  std::map<std::string, LoweredState> states;
  std::string folder = "assets/lessons/" + lesson;
  std::string function = readText(folder + "/function.py");
  struct Chapter {
    std::string lines;      // from the unscheduled function on
    std::size_t steps = 0;  // of them
  };
  std::map<std::string, Chapter> chapters;
  Chapter before;
  const auto description = nlohmann::json::parse(readText(folder + "/lesson.json"));
  for (const auto& entry : description["chapters"]) {
    const std::string from = entry.value("from", "");
    const std::size_t slash = from.find('/');
    const bool isOthers = slash != std::string::npos;
    if (isOthers) {
      before = {};
    } else if (!from.empty()) {
      before = chapters.at(from);
    }
    Chapter chapter = before;
    if (isOthers) chapter.lines = linesTo(from.substr(0, slash), from.substr(slash + 1));
    if (isOthers || entry.contains("steps")) {
      if (entry.contains("steps")) chapter.lines += readText(folder + "/" + std::string(entry["steps"]));
      schedule::Replay replay = replayed(function, chapter.lines);
      chapter.steps = replay.steps.size();
      for (std::size_t i = before.steps; i < replay.steps.size(); ++i) {
        if (!steps.contains(replay.steps[i].source)) continue;
        auto program = lower::lower(replay.steps[i].state.module().functions.front());
        if (!program) continue;
        LoweredState s{*program, codegen::generate(*program)};
        const std::string key = compile::programKey(s.source, compile::optionsOf({}));
        states.try_emplace(key, std::move(s));
      }
    }
    before = chapters[entry["id"]] = std::move(chapter);
  }
  return states;
}

constexpr double kFarOff = 0.8;  // the least error of what the model doesn't explain

struct Compiled {
  compile::Binary binary;
  sass::Kernel sass;
};

// Nothing where there is no compiler or no nvdisasm.
std::optional<Compiled> compiled(const LoweredState& s) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit || !toolkit->nvdisasm) return std::nullopt;
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) return std::nullopt;
  auto binary = (*compiler)->compile({s.source.text, "sm_90a", true, {}});
  if (!binary) return std::nullopt;
  auto text = compile::disassemble(*toolkit, *binary);
  if (!text) return std::nullopt;
  auto sass = sass::parse(*text);
  if (!sass) return std::nullopt;
  return Compiled{std::move(*binary), sass->front()};
}

KernelModel modelOf(const LoweredState& s, const Compiled* c, const std::string& device = "h200") {
  Machine machine;
  if (c) machine = {&c->binary.kernels.front(), &c->sass, &s.source};
  return loom::model::modelOf(s.program.kernels.front(), deviceNamed(device), machine);
}

// The recording of a lesson, whatever device it was made on, and behind it what was recorded of it later, as programs
// changed.
nlohmann::json recordingOf(const std::string& lesson) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TILELOOM_SOURCE_DIR) + "/assets/recorded"))
    names.insert(entry.path().filename().string());
  const auto first = std::ranges::find_if(names, [&](const auto& n) { return n.ends_with("_" + lesson + ".json"); });
  if (first == names.end()) throw std::runtime_error("no recording of " + lesson);
  auto recorded = nlohmann::json::parse(readText("assets/recorded/" + *first));
  const std::string stem = first->substr(0, first->size() - std::string("json").size());
  for (const std::string& name : names) {
    if (!name.starts_with(stem) || name == *first) continue;
    const auto later = nlohmann::json::parse(readText("assets/recorded/" + name));
    for (const auto& entry : later["entries"]) recorded["entries"].push_back(entry);
  }
  return recorded;
}

// The errors of predicted times of the second of every `every` measured states of a lesson's recording; nothing where
// there is no compiler. Those of which the program is another by now are left out.
std::optional<std::vector<double>> errorsOf(const std::string& lesson, int every) {
  const auto recorded = recordingOf(lesson);
  std::vector<nlohmann::json> entries;
  std::set<std::string> seen, steps;
  int position = -1;
  for (const auto& entry : recorded["entries"]) {
    if (entry["outcome"]["status"] != "measured" || !seen.insert(entry["source"]).second) continue;
    if (++position % every != 1) continue;
    const std::string label = entry["outcome"]["label"];  // the step's number, and its line
    steps.insert(label.substr(label.find(' ') + 1));
    entries.push_back(entry);
  }
  std::vector<double> errors;
  const auto states = lessonStates(lesson, steps);
  for (const auto& entry : entries) {
    const auto state = states.find(entry["source"].get<std::string>());
    if (state == states.end()) continue;  // recorded of another text
    auto machine = compiled(state->second);
    if (!machine) return std::nullopt;
    KernelModel m = modelOf(state->second, &*machine, recorded["device"]["name"]);
    if (!m.estimate) throw std::runtime_error(m.estimate.error().message.english());
    double measured = entry["outcome"]["timing"]["median_us"];
    errors.push_back(std::abs(m.estimate->microseconds / measured - 1));
    if (errors.back() >= kFarOff)
      std::printf("far off: %s: %.0f µs predicted, %.0f measured\n",
                  entry["outcome"]["label"].get<std::string>().c_str(), m.estimate->microseconds, measured);
  }
  return errors;
}

// Sorts the errors, which it says, and returns the median.
double medianOf(std::vector<double>& errors) {
  std::sort(errors.begin(), errors.end());
  std::printf("predicted time: median error %.1f %%, worst %.1f %% over %zu states\n", 100 * errors[errors.size() / 2],
              100 * errors.back(), errors.size());
  return errors[errors.size() / 2];
}

// The constants of Fitted were fitted on the first, third, fifth … measured state of each recording; these are the
// others.
TEST(PredictedTime, OfRecordedStatesThatItWasNotFittedTo) {
  std::vector<double> errors;
  for (const char* lesson : {"tensor_core", "cuda_cores", "pipelines"}) {
    const auto more = errorsOf(lesson, 12);
    if (!more) GTEST_SKIP() << "needs NVRTC and nvdisasm";
    errors.insert(errors.end(), more->begin(), more->end());
  }
  ASSERT_GE(errors.size(), 5u) << "the recordings belong to other programs: record them again";
  EXPECT_LT(medianOf(errors), 0.15);
  // Among the worst are those whose last sum few threads make while the others wait: 126 µs predicted of 487. Three
  // states on the way to slices of k, in which not every loop has its threads yet (recorded 2026-11-27, on an
  // H200), are off by 0.89, 0.95 and 2.8, which isn't explained.
  EXPECT_LE(std::ranges::count_if(errors, [](double e) { return e >= kFarOff; }), 3);
}

// Tensor cores whose blocks copy through registers: what L1 fetches passes it twice. 14.9 % when it passed once.
TEST(PredictedTime, OfRecordedStatesOnTensorCoresCountsWhatL1Fetches) {
  auto errors = errorsOf("tensor_passes", 2);
  if (!errors) GTEST_SKIP() << "needs NVRTC and nvdisasm";
  ASSERT_GE(errors->size(), 10u) << "the recording belongs to other programs: record it again";
  EXPECT_LT(medianOf(*errors), 0.13);
}

// No constant of the roles was fitted to these states.
TEST(PredictedTime, OfRecordedStatesWithRoles) {
  std::vector<double> errors;
  std::map<std::string, double> predicted;  // by lesson and chapter
  for (const char* lesson : {"hopper", "hopper_1024", "multistage"}) {
    const std::string folder = std::string("assets/lessons/") + lesson;
    const std::string function = readText(folder + "/function.py");
    const auto recorded = recordingOf(lesson);
    const auto description = nlohmann::json::parse(readText(folder + "/lesson.json"));
    for (const auto& chapter : description["chapters"]) {
      const auto replay = replayed(function, linesTo(lesson, chapter["id"]));
      if (replay.steps.empty()) continue;
      auto program = lower::lower(replay.steps.back().state.module().functions.front());
      if (!program) continue;
      LoweredState state{*program, codegen::generate(*program)};
      const std::string key = compile::programKey(state.source, compile::optionsOf({}));
      const auto found = std::ranges::find_if(recorded["entries"], [&](const auto& e) { return e["source"] == key; });
      if (found == recorded["entries"].end() || (*found)["outcome"]["status"] != "measured") continue;
      const auto& entry = *found;
      auto machine = compiled(state);
      if (!machine) GTEST_SKIP() << "needs NVRTC and nvdisasm";
      KernelModel m = modelOf(state, &*machine, recorded["device"]["name"]);
      ASSERT_TRUE(m.estimate) << m.estimate.error().message.english();
      if (!m.estimate->roles) continue;
      const double measured = entry["outcome"]["timing"]["median_us"];
      errors.push_back(std::abs(m.estimate->microseconds / measured - 1));
      predicted[lesson + (" " + std::string(chapter["id"]))] = m.estimate->microseconds;
      std::printf("%-12s %8.2f us predicted %8.2f measured %+5.1f %%  %s\n", lesson, m.estimate->microseconds, measured,
                  100 * (m.estimate->microseconds / measured - 1), m.estimate->powerBound ? "power" : "");
      std::fflush(stdout);
      EXPECT_EQ(m.estimate->powerBound, std::string(lesson) == "hopper") << "4096³ alone keeps tensor cores busy";
    }
  }
  if (!tests::kAwaitingRecording.empty()) GTEST_SKIP() << "lessons await their recordings";
  ASSERT_GE(errors.size(), 15U) << "the recordings belong to other programs: record them again";
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.12);
  EXPECT_LE(errors[errors.size() * 9 / 10], 0.25);
  // What waits name counts: who takes turns and waits for each product loses a quarter, and early copies are timed.
  EXPECT_GT(predicted.at("hopper turns"), 1.25 * predicted.at("hopper in_flight")) << "1.32 measured";
  EXPECT_TRUE(predicted.contains("hopper_1024 early"));
}

// Ten schedules that were predicted before they ran (tests/model/roles). What was written down stays; what is measured
// stands beside it.
TEST(PredictedTime, OfRolesThatWereFrozen) {
  const std::string folder = "tests/model/roles/";
  const auto frozen = nlohmann::json::parse(readText(folder + "predicted.json"));
  std::vector<double> errors;
  for (const auto& entry : frozen["schedules"]) {
    const std::string name = entry["schedule"];
    const auto replay = schedule::Replay(replayed(readText(folder + name.substr(0, name.find('_')) + ".func.py"),
                                                  readText(folder + name + ".sched.py")));
    ASSERT_FALSE(replay.steps.empty()) << name;
    auto program = lower::lower(replay.steps.back().state.module().functions.front());
    ASSERT_TRUE(program) << name << ": " << program.error().message.english();
    LoweredState s{*program, codegen::generate(*program)};
    auto machine = compiled(s);
    if (!machine) GTEST_SKIP() << "needs NVRTC and nvdisasm";
    for (const char* device : {"h200", "h100_sxm"}) {
      KernelModel m = modelOf(s, &*machine, device);
      ASSERT_TRUE(m.estimate) << name << ": " << m.estimate.error().message.english();
      EXPECT_TRUE(m.estimate->roles) << name;
      const double then = entry["predicted_us"].value(device, 0.0);  // 0: not written down
      std::printf("%-26s %-8s %9.2f us, frozen %9.2f\n", name.c_str(), device, m.estimate->microseconds, then);
      const double measured = entry.contains("measured_us") ? entry["measured_us"].value(device, 0.0) : 0;
      if (measured <= 0 || then <= 0) continue;
      errors.push_back(std::abs(then / measured - 1));
    }
  }
  ASSERT_GE(errors.size(), 10U) << "an H200 has run them since";
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.12);
  EXPECT_LE(errors[errors.size() * 9 / 10 - 1], 0.25);
}

// Not in any recording: 19.4 µs measured on an H200 for the lesson's kernel with padded shared tiles.
TEST(PredictedTime, OfThePaddedKernelIsAQuarter) {
  LoweredState s;
  s.program = tensorCore(tests::scheduleText("padded_shared_tiles"));
  s.source = codegen::generate(s.program);
  auto machine = compiled(s);
  if (!machine) GTEST_SKIP() << "needs NVRTC and nvdisasm";
  KernelModel m = modelOf(s, &*machine);
  ASSERT_TRUE(m.estimate);
  EXPECT_NEAR(m.estimate->microseconds, 19.4, 0.25 * 19.4);
  EXPECT_EQ(m.compiled->sharedLoadConflicts, 0);
  EXPECT_EQ(m.compiled->globalLoadSectors, m.count.globalLoadSectors) << "nothing is kept or joined here";
}

TEST(PredictedTime, BreaksDownIntoPhasesAndPipes) {
  LoweredState s;
  s.program = tensorCore();
  s.source = codegen::generate(s.program);
  KernelModel written = modelOf(s, nullptr);
  ASSERT_TRUE(written.estimate);
  EXPECT_FALSE(written.estimate->asCompiled);
  EXPECT_NE(written.estimate->how.english().find("as written"), std::string::npos);
  EXPECT_EQ(written.estimate->pipes[std::size_t(written.estimate->busiest)].pipe, "memory instructions");
  EXPECT_EQ(written.estimate->latencyClocks, 0) << "nobody knows it without machine code";
  ASSERT_GE(written.estimate->phases.size(), 2u);
  EXPECT_EQ(written.estimate->phases.back().name, "multiply and store");
}

TEST(PredictedTimeRefuses, WhatCannotBeAnswered) {
  LoweredState s;
  s.program = tensorCore();
  Device bare = deviceNamed("h200");
  bare.figures.erase(Quantity::ClockMhz);
  KernelModel m = loom::model::modelOf(s.program.kernels.front(), bare);
  EXPECT_EQ(m.estimate.error().code, "UnknownFigure");
  bare.figures.clear();
  m = loom::model::modelOf(s.program.kernels.front(), bare);
  EXPECT_FALSE(m.occupancy);
  EXPECT_FALSE(m.waves);
  EXPECT_FALSE(m.estimate);
  EXPECT_FALSE(m.roofline.unknown.empty());
  EXPECT_TRUE(m.count.exact) << "what needs no figure is still answered";
  // A block that fits on no multiprocessor of a smaller device has no time.
  Device small = deviceNamed("t4");
  small.figures[Quantity::SharedPerBlock].value = 16384;
  m = loom::model::modelOf(s.program.kernels.front(), small);
  EXPECT_EQ(m.estimate.error().code, "TooLarge");
}

}  // namespace
}  // namespace loom::model::estimate_test
