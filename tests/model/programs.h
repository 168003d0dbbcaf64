// Kernels for tests of the cost model, scheduled by step lines and lowered. Functions that take a text throw
// std::runtime_error if it can't be parsed, a step is refused or the program can't be lowered.
#pragma once
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/model/model.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model {

// Returns the contents of a file by its path from the source tree's root; empty if there is none.
inline std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the tensor intrinsics of the assets.
inline const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  return library;
}

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

// Returns the states (programs) after each step of a schedule.
inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  auto replay = schedule::replay(state, calls, schedule::Environment{&intrinsics()});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return replay;
}

// Returns the kernels that lowering makes of the text's first function after all steps.
inline device::Program lowered(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  const auto end = schedule::replayToEnd(state, calls, schedule::Environment{&intrinsics()});
  if (end.refusal) throw std::runtime_error(end.refusal->message.english());
  auto program = lower::lower(end.last.module().functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}

// Returns the lowered program at the end of the Tensor Core lesson's schedule, with the step lines `more` after it.
inline device::Program tensorCore(const std::string& more = "") {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  return lowered(readText(path + ".func.py"), readText(path + ".sched.py") + more);
}

// A function as TVMScript and the step lines of its schedule.
struct ScheduledText {
  std::string function, lines;
};
// Returns a float16 matrix product of 128 × 128 × 256 by warpgroups (wgmma), whose factors the copy engine (TMA) loads
// into ring buffers of three slots. A block computes 64 · `groups` rows and 64 columns, 64 of k in an iteration. With
// `loaders`, a further warpgroup starts the copies and gives registers to the others (setmaxnreg). `cluster` is the
// number of blocks of a cluster, each of which copies, by multicast, a part of the tile of the first factor that all
// need.
inline ScheduledText warpgroupProduct(bool loaders, int groups = 1, int cluster = 1) {
  std::string lines = tests::scheduleText("warpgroup_product", {{"BLOCK", "Z"},
                                                                {"GROUPS", groups},
                                                                {"COLUMNS", 64},
                                                                {"STAGE", "[0, 0, 2]"},
                                                                {"ORDER", "[0, 1, 2]"},
                                                                {"FLIGHT", 1},
                                                                {"FILL", "wgmma_fill_64x64_f32"},
                                                                {"STORE", "wgmma_store_64x64_f32_global"},
                                                                {"PRODUCT", "wgmma_m64n64k16_f16f16f32_trans"}});
  if (loaders) lines += tests::scheduleText("warpgroup_product_of_loaders");
  if (cluster > 1)
    lines += "sch.annotate(t, \"tileloom.cluster_x\", " + std::to_string(cluster) +
             ")\nsch.annotate(x, \"tileloom.multicast\", \"x\")\n";
  return {tests::programText("transposed_product", {{"M", 128}, {"N", 128}, {"K", 256}}), lines};
}

// Returns the lowered copy B[i] = A[i·stride] for i < 4096 with elements of type `dtype`, 128 threads a block and
// `lanes` elements a thread, as one vector if `lanes` is above 1.
inline device::Program copy(int stride, int lanes, const std::string& dtype) {
  return lowered(
      tests::programText("strided_copy", {{"SIZE", 4096 * stride}, {"TYPE", dtype}, {"STRIDE", stride}}),
      tests::scheduleText("elements_of_128_threads", {{"LANES", lanes}}) + (lanes > 1 ? "sch.vectorize(v)\n" : ""));
}

// Returns the kernel's first access, an element of `k.accesses`, that reads, or with `write` writes, the buffer with
// this name; null if there is none.
inline const Access* find(const KernelAccesses& k, const std::string& buffer, bool write) {
  for (const Access& a : k.accesses)
    if (a.buffer->name == buffer && a.write == write) return &a;
  return nullptr;
}

// Returns the figures of a device of assets/devices by its id ("h200").
inline Device deviceNamed(const std::string& id) {
  return findDevice(loadDevices(std::string(TILELOOM_SOURCE_DIR) + "/assets").value(), id).value();
}

}  // namespace loom::model
