// Functions and schedules for tests of the executor, made from text. All that read a text throw std::runtime_error if
// it can't be read; the text must have a function that can be scheduled.
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

// Returns the contents of a file by its path from the source tree's root; empty if there is none.
inline std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the tensor intrinsics of the assets.
inline const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  return library;
}

// Returns the first function of a TVMScript text.
inline ir::Function parse(const std::string& text) {
  auto module = script::parseModule(text, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  return module->functions.front();
}

// Returns whether an execution has found neither a wrong result nor a fault, even if it has run only a part.
inline bool isRight(const Report& r) { return r.foundNothing(); }

// A program before any schedule step, and the parsed step lines of a schedule for it.
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
// Fails the test, with the message and the line, if there is a refusal.
inline void expectNoRefusal(const std::optional<Error>& refusal) {
  if (refusal) ADD_FAILURE() << refusal->code << ": " << refusal->message.english() << " in " << refusal->place.text;
}

// Returns the states (programs) after each step of a schedule. A step that is refused fails the test, and ends the
// states.
inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  auto replay = schedule::replay(state, calls, schedule::Environment{&intrinsics()});
  expectNoRefusal(replay.refusal);
  return replay;
}
// Returns the function after all steps of a schedule. A step that is refused fails the test; the function is then the
// one before it.
inline ir::Function scheduled(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  const auto end = schedule::replayToEnd(state, calls, schedule::Environment{&intrinsics()});
  expectNoRefusal(end.refusal);
  return end.last.module().functions.front();
}

// Returns a matrix product C = A · B with operands of type `dtype` and a float32 result as TVMScript.
inline std::string matmul(int m, int n, int k, const std::string& dtype = "float32") {
  return tests::programText("product_of_casts", {{"M", m}, {"N", n}, {"K", k}, {"TYPE", dtype}});
}

// Step lines that put a product of 64 × 64 × 64 with float16 operands on tensor cores: 4 blocks of 2 warps, each of
// which computes two wmma tiles of 16 × 16.
inline const std::string kTensorCore = tests::scheduleText("tensor_core_product");

}  // namespace loom::exec
