#pragma once

#include <imgui.h>

#include <map>

struct ImGuiDockNode;

namespace loom::window {

/// Keeps the proportions of docked panels while the window is resized. Dear ImGui by itself gives all that changes to
/// the central node, so that a window made large and small again would squeeze that one.
class DockShares {
 public:
  /// To be called each frame, before the dock space is drawn in a window of `size`.
  void follow(unsigned dockspace, ImVec2 size);
  /// Forgets the proportions, because the nodes have been built anew.
  void forget() { shares_.clear(); }

 private:
  struct Share {
    float wanted = 0.5F;  // of a split, what its first side has: as built, or as the user moved it
    float seen = 0.5F;    // what it came to: least sizes of nodes may not allow it
  };
  void give(ImGuiDockNode& node, ImVec2 size);
  void look(const ImGuiDockNode& node);

  std::map<unsigned, Share> shares_;  // by node
  ImVec2 size_{};
  int settling_ = 0;  // frames until nodes have their sizes
};

}  // namespace loom::window
