// Small matrix products for tests of the rules that write schedules, and checks of the step lines that rules write.
#pragma once

#include <gtest/gtest.h>

#include "core/document/ready_function.h"
#include "core/exec/check.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/built.h"
#include "tests/document/scheduled.h"

namespace loom::tune {

// Returns the tensor intrinsics of the assets.
inline const intrin::Library& ruleLibrary() { return *document::environment().intrinsics; }

// Returns the figures of a device of assets/devices by its name or id; throws if there is none.
inline const model::Device& deviceNamed(const std::string& name) {
  static const std::vector<model::Device> all = model::loadDevices(document::assets()).value();
  static std::map<std::string, model::Device> found;
  return found.try_emplace(name, model::findDevice(all, name).value()).first->second;
}

// Returns the product C = A · B as TVMScript, with A stored as [m, k] and B as `b` says, "[n, k]" or else [k, n]. `in`
// is the type of the factors and `out` that of the sum, to which factors are cast.
inline std::string productText(int m, int n, int k, const std::string& b, const std::string& in,
                               const std::string& out) {
  const bool byN = b == "[n, k]";
  const std::string cast = in == out ? "" : "\"" + out + "\"";
  const auto element = [&](const std::string& load) {
    return in == out ? load : fmt::format("T.Cast({}, {})", cast, load);
  };
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(({0}, {2}), "{3}"), B: T.Buffer(({5}, {6}), "{3}"), C: T.Buffer(({0}, {1}), "{4}")):
    for i, j, k in T.grid({0}, {1}, {2}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = {9}
            C[vi, vj] = C[vi, vj] + {7} * {8}
)",
                     m, n, k, in, out, byN ? n : k, byN ? k : n, element("A[vi, vk]"),
                     element(byN ? "B[vj, vk]" : "B[vk, vj]"), out == "int32" ? "0" : "T." + out + "(0)");
}

// Returns the TVMScript of a function that comes with Tileloom (assets/functions), with these sizes. Throws if there is
// no such function, or if it can't have these sizes.
inline std::string ready(const std::string& name, const document::FunctionSizes& sizes) {
  const std::vector<document::ReadyFunction> all = document::readyFunctions(document::assets()).value();
  for (const document::ReadyFunction& function : all)
    if (function.name == name) return document::textOf(function, sizes).value();
  throw std::logic_error("no function " + name);
}

// Returns the state (program) of a TVMScript text before any step; throws std::runtime_error if it can't be read.
inline schedule::State programState(const std::string& text) {
  const auto target = document::openFunction(text, "f.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  return target->history.node(0).state;
}

// Applies step lines to `state` and returns the state that they lead to. If a line can't be read or is refused, or the
// result is no kernel, fails the test with the lines and, unless they can't be read, the reason, and returns nothing.
inline std::optional<schedule::State> kernelOf(const schedule::State& state, const std::string& lines) {
  const auto calls = script::parseSchedule(lines, "lines");
  EXPECT_TRUE(calls) << lines;
  if (!calls) return std::nullopt;
  const schedule::Replay replayed = schedule::replay(state, *calls, document::environment());
  EXPECT_FALSE(replayed.refusal) << replayed.refusal->message << "\n" << lines;
  if (replayed.refusal) return std::nullopt;
  const document::KernelText kernel = document::makeKernel(replayed.last);
  EXPECT_FALSE(kernel.problem) << kernel.problem->message << "\n" << lines;
  return kernel.problem ? std::nullopt : std::optional(replayed.last);
}

// Expects that the first function of `after`, of which as much is executed on the CPU as about 0.2 s allow, computes
// what that of `before` does. `lines` are the step lines between them, for the message.
inline void expectRight(const schedule::State& before, const schedule::State& after, const std::string& lines) {
  exec::Options how;
  how.budget = 0.2;
  auto checker = exec::Checker::create(before.module().functions.front(), how);
  ASSERT_TRUE(checker) << checker.error().message;
  const auto report = checker->check(after.module().functions.front());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->status == exec::Report::Status::Verified || report->status == exec::Report::Status::Partly)
      << exec::describe(*report) << "\n"
      << lines;
}

}  // namespace loom::tune
