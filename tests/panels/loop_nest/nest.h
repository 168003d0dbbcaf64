#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "tests/gui/script.h"
#include "tests/schedules/schedule_text.h"

/// Functions for GUI tests of the panel Loop nest, which draws the program's loops and blocks as nested bars (NestRow).
namespace loom::window {

using session::NestRow;

/// Returns the loop nest of the current state, whose program must have been made; valid as long as the session keeps
/// that program, as is what `rowNamed` returns.
inline const session::LoopNest& nestOf(ImGuiTestContext* ctx) {
  return session::nestOf(*modelOf(ctx).programs().of(modelOf(ctx).navigation().current()));
}

/// Return Dear ImGui's name of the bar of a loop or block, and of the handle at its right end that splits the loop.
inline std::string itemOf(const NestRow& row) { return fmt::format("**/###{}.{}", row.id.step, row.id.ordinal); }
inline std::string handleOf(const NestRow& row) { return itemOf(row) + "split"; }

/// Returns the first row of a kind with this name, which must exist.
inline const NestRow& rowNamed(ImGuiTestContext* ctx, const std::string& name,
                               NestRow::Kind kind = NestRow::Kind::kLoop) {
  const auto& rows = nestOf(ctx).rows;
  return *std::ranges::find_if(rows, [&](const NestRow& row) { return row.name == name && row.kind == kind; });
}

/// Goes to a state, given by its index in the history, waits for its program, brings the panel to the front, makes it
/// the reference of the context, and gives its bars 0.3 s to come to rest. Returns whether the program came in time.
inline bool nestIsShown(ImGuiTestContext* ctx, int state) {
  if (!startIsShown(ctx)) return false;
  modelOf(ctx).navigation().select(state);
  const bool program = yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(state) != nullptr; });
  ctx->WindowFocus("//###loopnest");
  ctx->SetRef("//###loopnest");
  ctx->SleepNoSkip(0.3F, 0.02F);  // until nothing glides
  return program;
}

/// Opens a product whose loop k_0 is software-pipelined, with the stages [0, 0, 1] and asynchronous copies, and waits
/// until the panel, the context's reference then, shows it. Returns whether that came in time.
inline bool pipelineIsShown(ImGuiTestContext* ctx) {
  if (!nestIsShown(ctx, 0)) return false;
  const std::string folder = "oracle/cases/software_pipeline/shared_loads.";
  auto& model = modelOf(ctx);
  model.documents().open(std::string(TILELOOM_SOURCE_DIR) + "/tests/" + folder + "func.py");
  if (!yieldUntil(ctx, [&] { return model.navigation().history().nodes().size() == 1; })) return false;
  model.edits().apply(tests::fileText(folder + "sched.py"));
  const bool made = yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; });
  ctx->SleepNoSkip(0.3F, 0.02F);
  return made && shows(ctx, "###loopnest", "stage 0");
}

/// Returns whether the line of the step that led to the current state contains `step`.
inline bool lastStepIs(ImGuiTestContext* ctx, std::string_view step) {
  const auto& node = modelOf(ctx).navigation().node();
  return node.step() != nullptr && node.step()->source.find(step) != std::string::npos;
}

}  // namespace loom::window
