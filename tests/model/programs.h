// Kernels of the tests: scheduled from text and lowered.
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

inline std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline const intrin::Library& intrinsics() {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  return library;
}

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

inline schedule::Replay replayed(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  auto replay = schedule::replay(state, calls, schedule::Environment{&intrinsics()});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return replay;
}

inline device::Program lowered(const std::string& function, const std::string& lines) {
  const auto [state, calls] = unscheduled(function, lines);
  const auto end = schedule::replayToEnd(state, calls, schedule::Environment{&intrinsics()});
  if (end.refusal) throw std::runtime_error(end.refusal->message.english());
  auto program = lower::lower(end.last.module().functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}

// The state at the end of the Tensor Core lesson's schedule, with `more` lines after it.
inline device::Program tensorCore(const std::string& more = "") {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  return lowered(readText(path + ".func.py"), readText(path + ".sched.py") + more);
}

// A product of warpgroups whose factors the copy engine brings: C of 128 × 128 = A · B of 128 × 256 and 256 × 128, a
// block for 64 × `groups` rows and 64 columns, 64 of k a turn of three slots. `loaders`: a warpgroup more asks for the
// copies and leaves registers to the others. Of so many blocks of a cluster, which need them, each copies a part of the
// rows of the first factor.
struct ScheduledText {
  std::string function, lines;
};
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

// B[i] = A[i·stride] for i < 4096, 128 threads a block, `lanes` elements each.
inline device::Program copy(int stride, int lanes, const std::string& dtype) {
  return lowered(
      tests::programText("strided_copy", {{"SIZE", 4096 * stride}, {"TYPE", dtype}, {"STRIDE", stride}}),
      tests::scheduleText("elements_of_128_threads", {{"LANES", lanes}}) + (lanes > 1 ? "sch.vectorize(v)\n" : ""));
}

inline const Access* find(const KernelAccesses& k, const std::string& buffer, bool write) {
  for (const Access& a : k.accesses)
    if (a.buffer->name == buffer && a.write == write) return &a;
  return nullptr;
}

inline Device deviceNamed(const std::string& id) {
  return findDevice(loadDevices(std::string(TILELOOM_SOURCE_DIR) + "/assets").value(), id).value();
}

}  // namespace loom::model
