#pragma once

#include <imgui_internal.h>

#include <string>

#include "tests/gui/script.h"

/// What the tests of the panel Thread binding have in common.
namespace loom::window {

/// The panel is in front and shows a kernel: that of the state.
inline bool threadsAreShown(ImGuiTestContext* ctx, int state) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().select(state);
  if (!yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; })) return false;
  ctx->WindowFocus("//###threads");
  ctx->Yield(3);
  ctx->SetRef("//###threads");
  // What is made in the background is there when one can choose from it.
  return yieldUntil(ctx, [&] { return ctx->ItemExists("##statement") && !isDisabled(ctx, "##statement"); }) &&
         settled(ctx);
}

/// Chooses a statement as it is called in the list, "Z_o reads X"; waits until its pictures are there, which say
/// `words`.
inline bool chooseStatement(ImGuiTestContext* ctx, const std::string& name, const std::string& words) {
  ctx->SetRef("//###threads");
  ctx->ItemClick("##statement");
  ctx->Yield(2);
  ctx->ItemClick(("//##Combo_00/**/" + name).c_str());
  return yieldUntil(ctx, [&] { return shows(ctx, "###threads", words); }) && settled(ctx);
}

/// The pictures' window becomes what item names refer to, scrolled to `share` of its way.
inline ImGuiWindow* pictures(ImGuiTestContext* ctx, float share) {
  ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
  ctx->SetRef(window);
  ImGui::SetScrollY(window, window->ScrollMax.y * share);
  ctx->Yield(3);
  return window;
}

}  // namespace loom::window
