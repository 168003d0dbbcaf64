#include "app/window/layout_presets.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>

#include "app/window/layouts.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;
using panels::Dock;

std::span<const Arrangement> arrangements() {
  static const std::vector<Arrangement> table = {
      {"reset", words::kDefaultLayout, words::kCodeBrief, 0.25F, 0.37F, 0.175F, 0.295F, {}},
      // What the schedule does, in three pictures at once; the code below them.
      {"pictures",
       words::kPicturesLayout,
       words::kPicturesBrief,
       0.34F,
       0.55F,
       0.175F,
       0.36F,
       {{"loopnest", Dock::kMiddleLeft},
        {"iterations", Dock::kMiddleLeft},
        {"threads", Dock::kMiddleRight},
        {"memory", Dock::kRight},
        {"plan", Dock::kRight},
        {"space", Dock::kRight},
        {"search", Dock::kRight},
        {"winner", Dock::kRight},
        {"performance", Dock::kBottomLeft},
        {"playback", Dock::kBottomLeft},
        {"tvmscript", Dock::kBottomRight},
        {"cuda", Dock::kBottomRight},
        {"ptx", Dock::kBottomRight},
        {"sass", Dock::kBottomRight},
        {"step", Dock::kBottomRight}}},
      // What the compiler made of it: CUDA beside its instructions.
      {"machine",
       words::kMachineLayout,
       words::kMachineBrief,
       0.28F,
       0.3F,
       0.175F,
       0.43F,
       {{"cuda", Dock::kMiddleLeft},
        {"tvmscript", Dock::kMiddleLeft},
        {"iterations", Dock::kMiddleLeft},
        {"ptx", Dock::kMiddleRight},
        {"plan", Dock::kMiddleRight},
        {"space", Dock::kMiddleRight},
        {"search", Dock::kMiddleRight},
        {"winner", Dock::kMiddleRight},
        {"sass", Dock::kRight}}},
  };
  return table;
}

const Arrangement* arrangementOf(std::string_view id) {
  for (const Arrangement& arrangement : arrangements()) {
    if (arrangement.id == id) return &arrangement;
  }
  return nullptr;
}

void dock(const Arrangement& arrangement, unsigned dockspace, float width, float height, const DockRoom& room) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, {width, height});
  auto split = [](ImGuiID node, ImGuiDir side, float share, ImGuiID& rest) {
    return ImGui::DockBuilderSplitNode(node, side, share, nullptr, &rest);
  };
  // Where there is little room for the letters, panels that are read one at a time share a place as tabs.
  const auto [narrow, low] = room;
  ImGuiID top = dockspace;
  const float lower = low ? (narrow ? 0.4F : 0.34F) : arrangement.lower;
  ImGuiID bottomLeft = split(top, ImGuiDir_Down, lower, top);
  const float lowerRight = narrow ? std::max(0.44F, arrangement.lowerRight) : arrangement.lowerRight;
  const ImGuiID bottomRight = narrow && low ? bottomLeft : split(bottomLeft, ImGuiDir_Right, lowerRight, bottomLeft);
  ImGuiID middle = top;
  ImGuiID left = split(middle, ImGuiDir_Left, narrow ? 0.27F : arrangement.left, middle);
  const ImGuiID right = split(middle, ImGuiDir_Right,
                              narrow ? std::max(low ? 0.44F : 0.34F, arrangement.right) : arrangement.right, middle);
  const ImGuiID middleRight = narrow ? middle : split(middle, ImGuiDir_Right, 0.5F, middle);
  // As high in every layout: what one clicks again and again, the lesson's Next, keeps its place.
  const ImGuiID leftTop = low ? left : split(left, ImGuiDir_Up, 0.45F / (1 - lower), left);
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
  std::set<std::string> placed;
  auto put = [&](const char* panel, Dock where) {
    if (!placed.insert(panel).second) return;
    const std::string name = windowName("", panel);
    const ImGuiID place = node(where);
    ImGui::DockBuilderDockWindow(name.c_str(), place);
    if (filled.insert(place).second) {  // the first of several tabs is the open one
      ImGui::DockBuilderGetNode(place)->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(name.c_str()));
    }
  };
  for (const Arrangement::Place& place : arrangement.places) put(place.panel, place.dock);
  for (const panels::PanelEntry& panel : panels::panelTable()) put(panel.id, panel.dock);
  ImGui::DockBuilderFinish(dockspace);
}

}  // namespace loom::window
