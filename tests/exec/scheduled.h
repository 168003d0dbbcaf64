// Functions and schedules of the tests, from text.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/exec/check.h"
#include "core/intrin/intrinsic.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

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
  if (!module) throw std::runtime_error(module.error().message);
  return module->functions.front();
}

// The states that a schedule's lines make of a function; refusals fail the test.
inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  auto module = script::parseModule(function, "test.py");
  if (!module) throw std::runtime_error(module.error().message);
  auto state = schedule::State::create(*module).value();
  auto calls = script::parseSchedule(lines, "test.sched.py");
  if (!calls) throw std::runtime_error(calls.error().message);
  auto replay = schedule::replay(state, *calls, schedule::Environment{&intrinsics()});
  if (replay.refusal)
    ADD_FAILURE() << replay.refusal->code << ": " << replay.refusal->message << " in " << replay.refusal->place.text;
  return replay;
}
inline ir::Function scheduled(const std::string& function, const std::string& lines) {
  return replayed(function, lines).last.module().functions.front();
}

inline std::string matmul(int m, int n, int k, const std::string& dtype = "float32") {
  auto size = [](int a, int b) { return "(" + std::to_string(a) + ", " + std::to_string(b) + ")"; };
  std::string grid = std::to_string(m) + ", " + std::to_string(n) + ", " + std::to_string(k);
  return "@T.prim_func\ndef main(A: T.Buffer(" + size(m, k) + ", \"" + dtype + "\"), B: T.Buffer(" + size(k, n) +
         ", \"" + dtype + "\"), C: T.Buffer(" + size(m, n) + ", \"float32\")):\n    for i, j, k in T.grid(" + grid +
         "):\n        with T.block(\"C\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
         "            with T.init():\n                C[vi, vj] = T.float32(0)\n"
         "            C[vi, vj] = C[vi, vj] + T.Cast(\"float32\", A[vi, vk]) * T.Cast(\"float32\", B[vk, vj])\n";
}

}  // namespace loom::exec
