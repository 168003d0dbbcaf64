#pragma once

#include <imgui.h>

#include <string>

namespace loom::window {

/// A panel with all that it has, also what one would have to scroll to: for some frames that nobody sees it is drawn in
/// a window of its own, which grows until nothing scrolls any more or it is as large as a picture may be. What lies in
/// the dock keeps its place meanwhile.
class FullPanelCapture {
 public:
  /// `size`: of the panel as it is shown; `most`: of a picture. Both in ImGui's units.
  void begin(std::string panel, ImVec2 size, ImVec2 most);
  void end() { panel_.clear(); }
  /// Id of the panel; empty: none is made.
  const std::string& panel() const { return panel_; }
  /// Begins the window in this frame, its "###" name as `window` says, and ends it: what is between them is drawn in
  /// it.
  void open(const std::string& title);
  void close();
  std::string window() const;
  /// After each frame. Whether that was the one to be kept; else another must come.
  bool isComplete();
  /// Whether there is more than a picture may hold.
  bool isCut() const { return cut_; }

 private:
  // Along one direction.
  struct Side {
    float now = 0, before = 0, most = 0;
    float missing = 0;   // when it grew last
    bool fixed = false;  // it wouldn't help
    bool grow(float missing);
  };

  std::string panel_;
  Side across_, down_;
  ImVec2 viewport_;
  int frames_ = 0;
  bool cut_ = false;
};

/// What a window and the child windows in it drew in the frame that has just been rendered, to be drawn by itself;
/// `size` as the window. Refers to ImGui's lists: until the next frame begins.
ImDrawData drawDataOf(const std::string& window);

}  // namespace loom::window
