// Random schedules from end to end: what lowers must be compilable CUDA that computes the function without a finding,
// what doesn't must name its rule. TILELOOM_RANDOM=FIRST..LAST runs other seeds, TILELOOM_RANDOM_KEEP=FOLDER writes
// those that fail (and, with TILELOOM_RANDOM_ALL, all that lower) as FUNC.py, SCHEDULE.py and CUDA.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/lower/lower.h"
#include "core/schedule/out_of_bounds.h"
#include "tests/codegen/declared_names.h"
#include "tests/exec/random_schedule.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/turn.h"

namespace loom::exec::random_test {
namespace {

// TVM takes a cache_read under a predicated thread loop and gives the copy no predicate, so that it reads beyond the
// tile: the executor must say so.
const std::set<std::uint64_t> kUnsoundSeeds = {163};

struct Seeds {
  std::uint64_t first = 1, last = 200;
};
Seeds seeds() {
  Seeds s;
  if (const char* given = std::getenv("TILELOOM_RANDOM")) {
    std::sscanf(given, "%llu..%llu", reinterpret_cast<unsigned long long*>(&s.first),
                reinterpret_cast<unsigned long long*>(&s.last));
  }
  return s;
}

void keep(std::uint64_t seed, const RandomSchedule& r, const std::string& cuda) {
  const char* folder = std::getenv("TILELOOM_RANDOM_KEEP");
  if (!folder) return;
  std::string path = std::string(folder) + "/seed" + std::to_string(seed);
  std::ofstream(path + ".func.py") << "from tvm.script import tir as T\n\n\n" << r.function;
  std::ofstream(path + ".sched.py") << r.text();
  if (!cuda.empty()) std::ofstream(path + ".cu") << cuda;
}

// NVRTC where there is one; tests without say so.
std::shared_ptr<const compile::Compiler> compiler() {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) return nullptr;
  auto loaded = compile::Compiler::load(*toolkit);
  return loaded ? *loaded : nullptr;
}

TEST(Random, WhatLowersComputesTheFunctionAndWhatDoesNotNamesItsRule) {
  auto [first, last] = seeds();
  const tests::Turn turn(std::getenv("TILELOOM_RANDOM") ? 1 : 2);
  const int parts = int(turn.parts());
  std::map<std::string, int> outcomes, rules;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    if (!turn.has(seed) && !kUnsoundSeeds.count(seed)) continue;
    RandomSchedule r = randomSchedule(seed);
    auto function = r.last.module().functions.front();
    Options options;
    options.budget = 0.5;
    auto report = check(parse(r.function), function, options);
    auto program = lower::lower(function);
    std::string cuda = program ? codegen::generate(*program).text : "";
    EXPECT_THAT(codegen::undeclaredNames(cuda), testing::IsEmpty()) << "seed " << seed << "\n" << cuda;
    if (!program) {
      ++outcomes["refused"];
      ++rules[program.error().message.english()];
      EXPECT_EQ(program.error().code, "NotAKernel");
      EXPECT_FALSE(program.error().message.english().empty());
      EXPECT_FALSE(program.error().subjects.empty()) << program.error().message.english();
      // What its text means is right all the same.
      if (report) {
        EXPECT_TRUE(report->inOrder);
        EXPECT_TRUE(isRight(*report)) << "seed " << seed << ": " << describe(*report);
      }
    }
    bool fine = report && isRight(*report) && report->findings.empty();
    bool waste = report && isRight(*report) && !fine;
    ++outcomes[fine && report->inOrder ? "verified in order"
               : fine                  ? "verified"
               : waste                 ? "verified, with advice"
               : report                ? nameOf(report->status)
                                       : "not run"];
    // What is said of accesses without running anything is so when they run.
    if (program && report && !schedule::accessesOutOfBounds(function).empty()) {
      const auto& found = report->findings;
      auto outside = [](const Finding& f) { return f.kind == Finding::Kind::OutOfBounds; };
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), outside)) << "seed " << seed << "\n" << describe(*report);
    }
    if (kUnsoundSeeds.count(seed)) {
      EXPECT_FALSE(fine || waste) << "seed " << seed;
      continue;
    }
    if (!fine && !waste && program) {
      ADD_FAILURE() << "seed " << seed << ": " << (report ? describe(*report) : report.error().message) << "\n"
                    << r.function << r.text() << cuda;
    }
    if ((!fine && !waste && program) || std::getenv("TILELOOM_RANDOM_ALL")) keep(seed, r, cuda);
  }
  for (const auto& [outcome, count] : outcomes) std::printf("%5d %s\n", count, outcome.c_str());
  for (const auto& [rule, count] : rules) std::printf("      %4d × %s\n", count, rule.c_str());
  if (first == 1 && last >= 200) {
    EXPECT_GT(outcomes["verified"], 60 / parts);
    EXPECT_GT(outcomes["refused"], 5 / parts);
  }
}

TEST(Random, WhatLowersCompiles) {
  auto nvrtc = compiler();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  auto [first, last] = seeds();
  bool few = !std::getenv("TILELOOM_RANDOM");
  const std::vector<std::string> architectures = nvrtc->architectures();
  int compiled = 0;
  for (std::uint64_t seed = first; seed <= last; seed += few ? 10 : 1) {
    RandomSchedule r = randomSchedule(seed);
    auto program = lower::lower(r.last.module().functions.front());
    if (!program) continue;
    std::string cuda = codegen::generate(*program).text;
    auto binary = nvrtc->compile({cuda, architectures[seed % architectures.size()], false, {}});
    ++compiled;
    EXPECT_TRUE(binary) << "seed " << seed << ": " << binary.error().message.english() << "\n" << cuda;
    if (binary) {
      EXPECT_THAT(binary->log, testing::Not(testing::HasSubstr("warning"))) << "seed " << seed << "\n" << cuda;
    }
    if (!binary) keep(seed, r, cuda);
  }
  std::printf("%d compiled\n", compiled);
  EXPECT_GT(compiled, 0);
}

// TILELOOM_ALL_STATES compiles every state that is a kernel, not the final ones only.
TEST(Lessons, CompileForEveryArchitecture) {
  auto nvrtc = compiler();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  bool all = std::getenv("TILELOOM_ALL_STATES");
  int compiled = 0;
  for (const char* name : {"tensorcore", "fp32_naive", "fp32_v1_one_dim_threads", "fp32_v2_two_dim_threads",
                           "fp32_v3_shared_memory", "fp32_v4_registers"}) {
    std::string path = std::string("tests/oracle/cases/lessons/") + name;
    auto replay = replayed(readText(path + ".func.py"), readText(path + ".sched.py"));
    for (const auto& step : replay.steps) {
      if (!all && &step != &replay.steps.back()) continue;
      auto program = lower::lower(step.state.module().functions.front());
      if (!program) continue;
      std::string cuda = codegen::generate(*program).text;
      for (const char* architecture : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
        auto binary = nvrtc->compile({cuda, architecture, false, {}});
        ASSERT_TRUE(binary) << name << " step " << step.step << ": " << binary.error().message.english() << "\n"
                            << cuda;
        EXPECT_THAT(binary->log, testing::Not(testing::HasSubstr("warning"))) << cuda;
        ++compiled;
      }
    }
  }
  std::printf("%d compiled\n", compiled);
}

}  // namespace
}  // namespace loom::exec::random_test
