#pragma once

#include <imgui.h>

#include <vector>

namespace loom::window {

/// The frame that is on the screen, kept to tell whether the next one differs: what looks the same isn't drawn again.
/// Where the processor draws, drawing costs five times what comparing and building a frame do.
class DrawnFrame {
 public:
  /// Whether `data` looks other than what was given last. Keeps it. Frames with a texture to be made, filled or dropped
  /// always differ.
  bool differs(const ImDrawData& data);
  /// What is on the screen is lost: the next frame differs.
  void forget() { lists_.clear(); }

 private:
  struct List {
    std::vector<ImDrawCmd> commands;
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
  };
  ImVec2 size_{};
  std::vector<List> lists_;
};

}  // namespace loom::window
