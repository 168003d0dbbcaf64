#include "app/window/full_panel_capture.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/window/layouts.h"

namespace loom::window {
namespace {

constexpr int kSettle = 3;  // frames: contents answer to a size one frame later, what is in them another one later
constexpr int kMost = 10;   // times that it may grow
constexpr float kNear = 1;  // unit: rounding

const std::string kName = "portrait-";  // before the panel's id

// How far one could scroll, in the window or in one in it.
ImVec2 hidden(const ImGuiWindow& window) {
  ImVec2 most = window.ScrollMax;
  for (const ImGuiWindow* child : window.DC.ChildWindows) {
    if (!child->Active || child->Hidden) continue;
    const ImVec2 inner = hidden(*child);
    most = {std::max(most.x, inner.x), std::max(most.y, inner.y)};
  }
  return most;
}

void add(ImDrawData& data, ImGuiWindow& window) {
  data.AddDrawList(window.DrawList);
  for (ImGuiWindow* child : window.DC.ChildWindows)
    if (child->Active && !child->Hidden) add(data, *child);
}

}  // namespace

void FullPanelCapture::begin(std::string panel, ImVec2 size, ImVec2 most) {
  panel_ = std::move(panel);
  across_ = {size.x, size.x, std::max(size.x, most.x)};
  down_ = {size.y, size.y, std::max(size.y, most.y)};
  frames_ = 0;
  cut_ = false;
}

std::string FullPanelCapture::window() const { return windowName("", (kName + panel_).c_str()); }

void FullPanelCapture::open(const std::string& title) {
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoInputs |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;
  // Windows are clipped to the screen that they are on.
  ImGuiViewport& viewport = *ImGui::GetMainViewport();
  viewport_ = viewport.Size;
  viewport.Size = {std::max(viewport.Size.x, viewport.Pos.x + across_.now),
                   std::max(viewport.Size.y, viewport.Pos.y + down_.now)};
  ImGui::SetNextWindowPos(viewport.Pos);
  ImGui::SetNextWindowSize({across_.now, down_.now});
  ImGui::Begin(windowName(title.c_str(), (kName + panel_).c_str()).c_str(), nullptr, kFlags);
}

void FullPanelCapture::close() {
  ImGui::End();
  ImGui::GetMainViewport()->Size = viewport_;
}

// False where there is nothing to be gained.
bool FullPanelCapture::Side::grow(float more) {
  if (fixed || more < kNear) return false;
  if (missing > 0 && more > missing - kNear) {  // a part of it has the height that it has
    now = before;
    fixed = true;
    return true;
  }
  missing = more;
  before = now;
  now = std::min(most, now + more);
  return now > before;
}

bool FullPanelCapture::isComplete() {
  if (++frames_ % kSettle != 0) return false;
  const ImGuiWindow* found = ImGui::FindWindowByName(window().c_str());
  if (found == nullptr) return true;
  const ImVec2 more = hidden(*found);
  const bool wider = across_.grow(more.x), higher = down_.grow(more.y);
  if ((wider || higher) && frames_ < kMost * kSettle) return false;
  cut_ = (more.x >= kNear && across_.now >= across_.most) || (more.y >= kNear && down_.now >= down_.most);
  return true;
}

ImDrawData drawDataOf(const std::string& window) {
  ImDrawData data;
  ImGuiWindow* found = ImGui::FindWindowByName(window.c_str());
  if (found == nullptr) return data;
  const ImDrawData& whole = *ImGui::GetDrawData();
  data.Valid = true;
  data.DisplayPos = found->Pos;
  data.DisplaySize = found->Size;
  data.FramebufferScale = whole.FramebufferScale;
  data.OwnerViewport = whole.OwnerViewport;
  data.Textures = whole.Textures;
  data.AddDrawList(
      ImGui::GetBackgroundDrawList(ImGui::GetMainViewport()));  // how glyphs are to be sampled stands in it
  add(data, *found);
  return data;
}

}  // namespace loom::window
