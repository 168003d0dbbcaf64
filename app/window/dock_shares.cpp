#include "app/window/dock_shares.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace loom::window {

namespace {

constexpr int kFramesUntilSettled = 3;
constexpr float kMoved = 0.003F;  // of a share: less is rounding to pixels

bool isSplit(const ImGuiDockNode& node) { return node.ChildNodes[0] != nullptr && node.ChildNodes[1] != nullptr; }
int axisOf(const ImGuiDockNode& node) { return node.SplitAxis == ImGuiAxis_Y ? 1 : 0; }

}  // namespace

void DockShares::follow(unsigned dockspace, ImVec2 size) {
  ImGuiDockNode* root = ImGui::DockBuilderGetNode(dockspace);
  if (root == nullptr || size.x <= 0 || size.y <= 0) return;
  if (size_.x > 0 && (size.x != size_.x || size.y != size_.y)) {
    // What stands beside the dock space, the bars, keeps its height.
    give(*root, {root->Size.x + size.x - size_.x, root->Size.y + size.y - size_.y});
    settling_ = kFramesUntilSettled;
  } else {
    if (settling_ > 0) --settling_;
    look(*root);
  }
  size_ = size;
}

void DockShares::give(ImGuiDockNode& node, ImVec2 size) {
  if (!isSplit(node)) return;
  const auto known = shares_.find(node.ID);
  if (known == shares_.end()) return;
  const int axis = axisOf(node);
  const float between = ImGui::GetStyle().DockingSeparatorSize, room = std::max(2.0F, size[axis] - between);
  ImVec2 first = size, second = size;
  first[axis] = std::floor(room * known->second.wanted);
  second[axis] = room - first[axis];
  node.ChildNodes[0]->SizeRef[axis] = first[axis];
  node.ChildNodes[1]->SizeRef[axis] = second[axis];
  give(*node.ChildNodes[0], first);
  give(*node.ChildNodes[1], second);
}

void DockShares::look(const ImGuiDockNode& node) {
  if (!isSplit(node)) return;
  const int axis = axisOf(node);
  const float first = node.ChildNodes[0]->Size[axis], both = first + node.ChildNodes[1]->Size[axis];
  if (both > 0) {
    const float now = first / both;
    const auto [known, isNew] = shares_.try_emplace(node.ID, Share{now, now});
    Share& share = known->second;
    if (!isNew && settling_ == 0 && std::abs(now - share.seen) > kMoved) share.wanted = now;
    share.seen = now;
  }
  look(*node.ChildNodes[0]);
  look(*node.ChildNodes[1]);
}

}  // namespace loom::window
