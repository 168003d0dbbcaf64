#pragma once

#include <imgui.h>

#include <map>

struct ImGuiDockNode;

namespace loom::window {

/// Keeps the proportions of docked panels while the window is resized. Dear ImGui by itself gives every change of the
/// window's size to the central dock node, so that a window made small and large again would squeeze that node.
class DockShares {
 public:
  /// Resizes the dock nodes if the window's size has changed since the last call, or else notes their proportions. To
  /// be called each frame, before the dock space with the id `dockspace` is drawn in a window of `size` (ImGui's
  /// units). Does nothing while there is no such dock space.
  void follow(unsigned dockspace, ImVec2 size);
  /// Forgets the proportions, because the nodes have been built anew.
  void forget() { shares_.clear(); }

 private:
  struct Share {
    float wanted = 0.5F;  // share of a split node that its first child gets: as built, or as the user has moved it
    float seen = 0.5F;    // share that the first child has: minimum sizes of nodes may make it differ from `wanted`
  };
  void give(ImGuiDockNode& node, ImVec2 size);
  void look(const ImGuiDockNode& node);

  std::map<unsigned, Share> shares_;  // by id of the split node
  ImVec2 size_{};                     // the window's size in the last frame
  int settling_ = 0;                  // frames until the nodes have the sizes that they were given
};

}  // namespace loom::window
