// Functions and schedules of the tests, from text.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/exec/check.h"
#include "core/intrin/intrinsic.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec {

inline std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  return library;
}

inline ir::Function parse(const std::string& text) {
  auto module = script::parseModule(text, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  return module->functions.front();
}

// All that was looked at is right.
inline bool isRight(const Report& r) { return r.foundNothing(); }

// A function as it is and the lines of a schedule for it.
struct Unscheduled {
  schedule::State state;
  std::vector<script::StepCall> calls;
};
inline Unscheduled unscheduled(const std::string& function, const std::string& lines) {
  auto module = script::parseModule(function, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  auto calls = script::parseSchedule(lines, "test.sched.py");
  if (!calls) throw std::runtime_error(calls.error().message.english());
  return {schedule::State::create(*module).value(), std::move(*calls)};
}
inline void expectNoRefusal(const std::optional<Error>& refusal) {
  if (refusal) ADD_FAILURE() << refusal->code << ": " << refusal->message.english() << " in " << refusal->place.text;
}

// The states that a schedule's lines make of a function; refusals fail the test.
inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  auto replay = schedule::replay(state, calls, schedule::Environment{&intrinsics()});
  expectNoRefusal(replay.refusal);
  return replay;
}
// The last of them.
inline ir::Function scheduled(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  const auto end = schedule::replayToEnd(state, calls, schedule::Environment{&intrinsics()});
  expectNoRefusal(end.refusal);
  return end.last.module().functions.front();
}

inline std::string matmul(int m, int n, int k, const std::string& dtype = "float32") {
  return tests::programText("product_of_casts", {{"M", m}, {"N", n}, {"K", k}, {"TYPE", dtype}});
}

// The Tensor Core schedule at 64 × 64 × 64: 4 warps, one or more tiles each.
inline const std::string kTensorCore = tests::scheduleText("tensor_core_product");

}  // namespace loom::exec
