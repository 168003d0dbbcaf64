#include "app/window/layouts.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "app/panels/panel.h"

namespace loom::window {
namespace {

std::optional<std::string> readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Which panel is docked where, and how the room is shared, to some percent: what a user changes by moving panels, and
// a window's size doesn't.
std::string places() {
  std::string text;
  for (const panels::PanelEntry& panel : panels::panelTable()) {
    const ImGuiWindow* window = ImGui::FindWindowByName(windowName("", panel.id).c_str());
    text += std::to_string(window != nullptr ? window->DockId : 0) + " ";
  }
  std::vector<const ImGuiDockNode*> open = {ImGui::DockBuilderGetNode(dockspaceId())};
  while (!open.empty()) {
    const ImGuiDockNode* node = open.back();
    open.pop_back();
    if (node == nullptr || node->ChildNodes[0] == nullptr || node->ChildNodes[1] == nullptr) continue;
    const int axis = node->SplitAxis == ImGuiAxis_Y ? 1 : 0;
    const float first = node->ChildNodes[0]->Size[axis], second = node->ChildNodes[1]->Size[axis];
    text += std::to_string(axis) + ":" + std::to_string(int(first / std::max(1.0F, first + second) * 25 + 0.5F)) + " ";
    for (const ImGuiDockNode* child : node->ChildNodes) open.push_back(child);
  }
  return text;
}

// In design px: below, columns hold too few letters of code, rows too few lines of a lesson.
constexpr float kRoomForColumns = 1150;
constexpr float kRoomForRows = 720;
// Below, Dear ImGui squeezes nodes to the least size that they may have, and the shares are lost.
constexpr ImVec2 kCramped = {560, 360};
constexpr int kSettling = 4;  // frames until nodes have their sizes

DockRoom roomOf(ImVec2 size, float scale) { return {size.x < kRoomForColumns * scale, size.y < kRoomForRows * scale}; }

}  // namespace

Layouts::Layouts(std::optional<std::filesystem::path> folder, const std::string& arrangement, BackgroundWriter& writer)
    : folder_(std::move(folder)), writer_(writer), wanted_(arrangementOf(arrangement)) {
  if (!folder_) {
    return;
  }
  // Built anew, an arrangement fits the window of today.
  if (wanted_ == nullptr) current_ = readFile(*folder_ / "layout.ini");
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*folder_ / "layouts", error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".ini" && validName(name)) {
      if (auto ini = readFile(entry.path())) {
        saved_[name] = *ini;
      }
    }
  }
}

void Layouts::applyBetweenFrames() {
  if (current_) {
    ImGui::LoadIniSettingsFromMemory(current_->data(), current_->size());
    shares_.forget();
    current_.reset();
  }
  if (chosen_) {
    if (auto layout = saved_.find(*chosen_); layout != saved_.end()) {
      ImGui::LoadIniSettingsFromMemory(layout->second.data(), layout->second.size());
      shares_.forget();
      built_.clear();
      settling_ = 0;  // what was arranged before is no longer shown
    }
    chosen_.reset();
  }
}

// What a window is made too small for comes back when it is large again.
void Layouts::keepWhileCramped(bool cramped) {
  if (cramped == kept_.has_value() || ImGui::DockBuilderGetNode(dockspaceId()) == nullptr) return;
  if (cramped) {
    kept_ = Kept{inUse().empty() ? nullptr : arranged_, ImGui::SaveIniSettingsToMemory()};
    return;
  }
  if (kept_->arrangement != nullptr) {
    wanted_ = kept_->arrangement;
  } else {
    current_ = std::move(kept_->ini);
    built_.clear();
  }
  kept_.reset();
}

void Layouts::buildWhereNone() {
  // A layout without a single dock node of ours is no layout: a first start, or a damaged file.
  const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
  const float scale = ImGui::GetStyle().FontScaleMain;
  const DockRoom room = roomOf(size, scale);
  keepWhileCramped(size.x < kCramped.x * scale || size.y < kCramped.y * scale);
  if (room != room_) rescaled();
  if (wanted_ == nullptr && ImGui::DockBuilderGetNode(dockspaceId()) == nullptr) wanted_ = &arrangements().front();
  // The bars have their heights a frame after the window or the scale has its size.
  if (settling_ > 0 && wanted_ == nullptr && (size.x != builtFor_.x || size.y != builtFor_.y)) wanted_ = arranged_;
  if (wanted_ != nullptr && size.x > 0 && size.y > 0) {
    dock(*wanted_, dockspaceId(), size.x, size.y, room);
    builtFor_ = size;
    room_ = room;
    shares_.forget();
    arranged_ = std::exchange(wanted_, nullptr);
    settling_ = kSettling;
    built_.clear();
  } else if (settling_ > 0 && --settling_ == 0) {
    built_ = places();
  }
  if (settling_ == 0) shares_.follow(dockspaceId(), size);
}

std::string_view Layouts::inUse() const {
  if (wanted_ != nullptr) return wanted_->id;
  const bool untouched = settling_ > 0 || (!built_.empty() && built_ == places());
  return untouched ? arranged() : "";
}

void Layouts::rescaled() {
  if (wanted_ == nullptr && !built_.empty() && built_ == places()) wanted_ = arranged_;
}

void Layouts::keepWhatMoved() {
  if (ImGuiIO& io = ImGui::GetIO(); io.WantSaveIniSettings) {
    io.WantSaveIniSettings = false;
    write("layout.ini", ImGui::SaveIniSettingsToMemory());
  }
}

void Layouts::saveAs(const std::string& name) {
  saved_[name] = ImGui::SaveIniSettingsToMemory();
  write("layouts/" + name + ".ini", saved_[name]);
}

std::vector<std::string> Layouts::names() const {
  std::vector<std::string> names;
  for (const auto& [name, ini] : saved_) {
    names.push_back(name);
  }
  return names;
}

bool Layouts::validName(const std::string& name) {
  if (name.empty() || name.size() > 64 || name.front() == '.' || name.front() == ' ') {
    return false;
  }
  for (unsigned char c : name) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!word && c != ' ' && c != '-' && c != '_' && c < 0x80) {
      return false;
    }
  }
  return true;
}

void Layouts::write(const std::string& file, const std::string& ini) {
  if (folder_) {
    writer_.write(*folder_ / file, ini);
  }
}

unsigned dockspaceId() { return ImHashStr("tileloom workbench"); }

}  // namespace loom::window
