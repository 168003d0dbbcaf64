#pragma once

#include <imgui_internal.h>

#include <string>

#include "tests/gui/script.h"

/// Functions for GUI tests of the panel Thread binding, which shows which elements each thread of a kernel accesses.
namespace loom::window {

/// Goes to a state, given by its index in the history, brings the panel to the front and waits until it shows the
/// state's kernel. Returns whether that came in time.
inline bool threadsAreShown(ImGuiTestContext* ctx, int state) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().select(state);
  if (!yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; })) return false;
  ctx->WindowFocus("//###threads");
  ctx->Yield(3);
  ctx->SetRef("//###threads");
  // The list of statements is enabled once the panel's data have been made in the background.
  return yieldUntil(ctx, [&] { return ctx->ItemExists("##statement") && !isDisabled(ctx, "##statement"); }) &&
         settled(ctx);
}

/// Chooses the access with this name in the panel's list, "Z_o reads X", and waits until the panel shows the text
/// `words`. Returns whether that came in time.
inline bool chooseStatement(ImGuiTestContext* ctx, const std::string& name, const std::string& words) {
  ctx->SetRef("//###threads");
  ctx->ItemClick("##statement");
  ctx->Yield(2);
  ctx->ItemClick(("//##Combo_00/**/" + name).c_str());
  return yieldUntil(ctx, [&] { return shows(ctx, "###threads", words); }) && settled(ctx);
}

/// Makes item names refer to the child window with the panel's pictures, scrolls it to `share` (0 to 1) of its height,
/// and returns it.
inline ImGuiWindow* pictures(ImGuiTestContext* ctx, float share) {
  ImGuiWindow* window = ctx->WindowInfo("//###threads/pictures").Window;
  ctx->SetRef(window);
  ImGui::SetScrollY(window, window->ScrollMax.y * share);
  ctx->Yield(3);
  return window;
}

}  // namespace loom::window
