#include "app/window/layouts.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
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
constexpr int kSettling = 4;  // frames until nodes have their sizes

DockRoom roomOf(ImVec2 size, float scale) { return {size.x < kRoomForColumns * scale, size.y < kRoomForRows * scale}; }

}  // namespace

Layouts::Layouts(std::optional<std::filesystem::path> folder, BackgroundWriter& writer)
    : folder_(std::move(folder)), writer_(writer) {
  if (!folder_) {
    return;
  }
  current_ = readFile(*folder_ / "layout.ini");
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
    current_.reset();
  }
  if (chosen_) {
    if (auto layout = saved_.find(*chosen_); layout != saved_.end()) {
      ImGui::LoadIniSettingsFromMemory(layout->second.data(), layout->second.size());
      built_.clear();
    }
    chosen_.reset();
  }
}

void Layouts::buildWhereNone() {
  // A layout without a single dock node of ours is no layout: a first start, or a damaged file.
  const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
  const DockRoom room = roomOf(size, ImGui::GetStyle().FontScaleMain);
  if (room != room_) rescaled();
  if ((resetWanted_ || ImGui::DockBuilderGetNode(dockspaceId()) == nullptr) && size.x > 0 && size.y > 0) {
    buildDefaultLayout(dockspaceId(), size.x, size.y, room);
    room_ = room;
    resetWanted_ = false;
    settling_ = kSettling;
    built_.clear();
  } else if (settling_ > 0 && --settling_ == 0) {
    built_ = places();
  }
}

void Layouts::rescaled() {
  if (!built_.empty() && built_ == places()) resetWanted_ = true;
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

void buildDefaultLayout(unsigned dockspace, float width, float height, const DockRoom& room) {
  using panels::Dock;
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, {width, height});
  auto split = [](ImGuiID node, ImGuiDir side, float share, ImGuiID& rest) {
    return ImGui::DockBuilderSplitNode(node, side, share, nullptr, &rest);
  };
  // Where there is little room for the letters, panels that are read one at a time share a place as tabs.
  const auto [narrow, low] = room;
  ImGuiID top = dockspace;
  ImGuiID bottomLeft = split(top, ImGuiDir_Down, low ? 0.33F : 0.25F, top);
  const ImGuiID bottomRight = split(bottomLeft, ImGuiDir_Right, narrow ? 0.44F : 0.37F, bottomLeft);
  ImGuiID middle = top;
  ImGuiID left = split(middle, ImGuiDir_Left, narrow ? 0.27F : 0.175F, middle);
  const ImGuiID right = split(middle, ImGuiDir_Right, narrow ? 0.34F : 0.295F, middle);
  const ImGuiID middleRight = narrow ? middle : split(middle, ImGuiDir_Right, 0.5F, middle);
  const ImGuiID leftTop = low ? left : split(left, ImGuiDir_Up, 0.56F, left);
  auto node = [&](Dock dock) {
    switch (dock) {
      case Dock::kLeftTop: return leftTop;
      case Dock::kLeftBottom: return left;
      case Dock::kMiddleLeft: return middle;
      case Dock::kMiddleRight: return middleRight;
      case Dock::kRight: return right;
      case Dock::kBottomLeft: return bottomLeft;
      case Dock::kBottomRight: return bottomRight;
    }
    return middle;
  };
  std::set<ImGuiID> filled;
  for (const panels::PanelEntry& panel : panels::panelTable()) {
    const std::string name = windowName("", panel.id);
    const ImGuiID place = node(panel.dock);
    ImGui::DockBuilderDockWindow(name.c_str(), place);
    if (filled.insert(place).second) {  // the first of several tabs is the open one
      ImGui::DockBuilderGetNode(place)->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(name.c_str()));
    }
  }
  ImGui::DockBuilderFinish(dockspace);
}

unsigned dockspaceId() { return ImHashStr("tileloom workbench"); }

std::string windowName(const char* title, const char* id) { return std::string(title) + "###" + id; }

}  // namespace loom::window
