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

/// What the scripts of the tests have in common.
namespace loom::window {

/// Reads a whole file; "" where there is none.
inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Writes a whole file, and makes the folders above it.
inline void keep(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline Workbench& workbenchOf(ImGuiTestContext* ctx) { return *static_cast<Workbench*>(ctx->Test->UserData); }
inline session::Session& modelOf(ImGuiTestContext* ctx) { return workbenchOf(ctx).model(); }

/// Frames until `there` holds, at most a minute and a half: a machine may have much else to do.
template <typename There>
bool yieldUntil(ImGuiTestContext* ctx, There there) {
  // By the clock: frames that look like the one before are over in no time.
  constexpr std::chrono::milliseconds kShortest{1}, kLongest{50};
  const auto begin = std::chrono::steady_clock::now(), end = begin + std::chrono::seconds(90);
  while (!there() && std::chrono::steady_clock::now() < end) {
    // The longer it takes, the fewer frames: those of a session's threads that work give way to the one that draws.
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    std::this_thread::sleep_for(std::clamp(waited / 10, kShortest, kLongest));
    ctx->SleepNoSkip(0.005F, 0.005F);
  }
  return there();
}

inline bool lessonIsOpen(ImGuiTestContext* ctx) {
  return yieldUntil(ctx, [&] { return modelOf(ctx).documents().target() != nullptr; });
}

/// What panels show of the current state will not move any more: its model is complete, and nothing that a panel asked
/// for is still being made.
inline bool settled(ImGuiTestContext* ctx) {
  int frames = 0;
  return yieldUntil(ctx, [&] {
    auto& session = modelOf(ctx);
    const bool still = session::beingMade() == 0 && session.models().isFinal(session.navigation().current());
    frames = still ? frames + 1 : 0;
    return frames >= 4;
  });
}

/// The lesson is open at its first state, and the panels show it.
inline bool startIsShown(ImGuiTestContext* ctx) {
  if (!lessonIsOpen(ctx)) return false;
  modelOf(ctx).navigation().select(0);
  const bool program = yieldUntil(ctx, [&] { return modelOf(ctx).programs().of(0) != nullptr; });
  ctx->Yield(2);
  return program;
}

/// Puts `text` in place of what stands in a field.
inline void write(ImGuiTestContext* ctx, const char* field, const char* text) {
  ctx->ItemClick(field);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ctx->KeyPress(ImGuiKey_Delete);
  if (*text != 0) ctx->KeyChars(text);
  ctx->Yield(2);
}

/// Whether the text that the panel drew in the last frame has these words.
inline bool shows(ImGuiTestContext* ctx, const char* panel, const std::string& words) {
  ctx->Yield();
  std::string all;
  for (const TextRun& text : drawnText(panel)) all += text.text + " ";
  return all.find(words) != std::string::npos;
}

/// Types lines into the console and presses Enter.
inline void typeStep(ImGuiTestContext* ctx, const char* lines) {
  ctx->WindowFocus("//###console");
  ctx->SetRef("//###console");
  write(ctx, "###input", lines);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(2);
}

inline bool isDisabled(ImGuiTestContext* ctx, const char* item) {
  return (ctx->ItemInfo(item).ItemFlags & ImGuiItemFlags_Disabled) != 0;
}

/// Whether the menu, list or dialog that is in front has these words.
inline bool popupShows(ImGuiTestContext* ctx, const std::string& words) {
  const ImGuiWindow* popup = ctx->GetWindowByRef("//$FOCUSED");
  return popup != nullptr && shows(ctx, popup->Name, words);
}

/// The tooltip's text, with a blank for each line's end.
inline std::string tip(ImGuiTestContext* ctx) {
  ctx->Yield(2);
  const ImGuiWindow* window = ctx->UiContext->TooltipPreviousWindow;
  std::string all;
  if (window == nullptr) return all;
  for (const TextRun& text : drawnText(window->Name)) all += (all.empty() ? "" : " ") + text.text;
  return all;
}

}  // namespace loom::window
