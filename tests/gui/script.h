#pragma once

#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "app/pictures/text_runs.h"
#include "app/session/background_value.h"
#include "tests/gui/bench.h"

/// Functions for scripts that drive the GUI in tests. Those that return bool return whether what they wait for came
/// true in time; `ctx` is the context of the running script. An item ("###input") is a reference of Dear ImGui's test
/// engine, relative to the window that ctx->SetRef was last called with unless it begins with "//".
namespace loom::window {

/// Returns the contents of a file; "" if there is no such file.
inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Writes a file, and makes the folders above it. Errors of writing are ignored.
inline void keep(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// Return the workbench that the script drives, and its session.
inline Workbench& workbenchOf(ImGuiTestContext* ctx) { return *static_cast<Workbench*>(ctx->Test->UserData); }
inline session::Session& modelOf(ImGuiTestContext* ctx) { return workbenchOf(ctx).model(); }

/// Draws frames until `there` returns true, for at most 90 seconds. Returns whether it does.
template <typename There>
bool yieldUntil(ImGuiTestContext* ctx, There there) {
  // The limit is in seconds, not in frames, because a frame that equals the one before takes hardly any time.
  constexpr std::chrono::milliseconds kShortest{1}, kLongest{50};
  const auto begin = std::chrono::steady_clock::now(), end = begin + std::chrono::seconds(90);
  bool is = there();
  while (!is && std::chrono::steady_clock::now() < end) {
    // The longer the wait, the fewer frames, since drawing takes the CPU from the session's background threads.
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    std::this_thread::sleep_for(std::clamp(waited / 10, kShortest, kLongest));
    ctx->SleepNoSkip(0.005F, 0.005F);
    is = there();
  }
  return is;  // not asked again: the next frame may be one that isn't drawn, as it equals the one before
}

/// Waits until any target (lesson, document or function) is open.
inline bool lessonIsOpen(ImGuiTestContext* ctx) {
  return yieldUntil(ctx, [&] { return modelOf(ctx).documents().target() != nullptr; });
}

/// Waits until panels will show no further changes of the current state by themselves: its cost model is final, and no
/// background value that a panel shows is being made, for four frames in a row.
inline bool settled(ImGuiTestContext* ctx) {
  int frames = 0;
  return yieldUntil(ctx, [&] {
    auto& session = modelOf(ctx);
    const bool still = session::beingMade() == 0 && session.models().isFinal(session.navigation().current());
    frames = still ? frames + 1 : 0;
    return frames >= 4;
  });
}

/// Waits until a target is open, goes to its first state, and waits until that state's program has been made.
inline bool startIsShown(ImGuiTestContext* ctx) {
  if (!lessonIsOpen(ctx)) return false;
  modelOf(ctx).navigation().select(0);
  const bool program = yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(0) != nullptr; });
  ctx->Yield(2);
  return program;
}

/// Replaces the contents of the text field `field` by `text`, by keyboard.
inline void write(ImGuiTestContext* ctx, const char* field, const char* text) {
  ctx->ItemClick(field);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ctx->KeyPress(ImGuiKey_Delete);
  if (*text != 0) ctx->KeyChars(text);
  ctx->Yield(2);
}

/// Draws a frame and returns whether the text that a panel has drawn contains `words`. `panel` is the name of its ImGui
/// window as drawnText takes it, without "//" in front; without such a window, the result is false and no error.
inline bool shows(ImGuiTestContext* ctx, const char* panel, const std::string& words) {
  ctx->Yield();
  std::string all;
  for (const TextRun& text : drawnText(panel)) all += text.text + " ";
  return all.find(words) != std::string::npos;
}

/// Returns what `shows` does while the panel is scrolled from its top to its bottom, and leaves it at its top.
inline bool showsBelow(ImGuiTestContext* ctx, const char* panel, const std::string& words) {
  ImGuiWindow* window = ctx->GetWindowByRef(panel);
  bool isShown = false;
  for (float y = 0; !isShown; y += 100) {
    ImGui::SetScrollY(window, y);
    ctx->Yield(2);
    isShown = shows(ctx, panel, words);
    if (y > window->ScrollMax.y) break;
  }
  ImGui::SetScrollY(window, 0);
  ctx->Yield(2);
  return isShown;
}

/// Types lines into the console and presses Enter once. A '\n' in `lines` is typed like other characters, and begins a
/// new line of the field. Items are relative to the console's window afterwards (SetRef).
inline void typeStep(ImGuiTestContext* ctx, const char* lines) {
  ctx->WindowFocus("//###console");
  ctx->SetRef("//###console");
  write(ctx, "###input", lines);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(2);
}

/// Returns whether an item is disabled.
inline bool isDisabled(ImGuiTestContext* ctx, const char* item) {
  return (ctx->ItemInfo(item).ItemFlags & ImGuiItemFlags_Disabled) != 0;
}

/// Returns whether the focused window shows `words`: a menu, list or dialog if one is open; false if there is none.
inline bool popupShows(ImGuiTestContext* ctx, const std::string& words) {
  const ImGuiWindow* popup = ctx->GetWindowByRef("//$FOCUSED");
  return popup != nullptr && shows(ctx, popup->Name, words);
}

/// Returns the text of the tooltip on the screen, with a blank in place of each line break; "" if there is none.
inline std::string tip(ImGuiTestContext* ctx) {
  ctx->Yield(2);
  const ImGuiWindow* window = ctx->UiContext->TooltipPreviousWindow;
  std::string all;
  if (window == nullptr) return all;
  for (const TextRun& text : drawnText(window->Name)) all += (all.empty() ? "" : " ") + text.text;
  return all;
}

}  // namespace loom::window
