#pragma once

#include <imgui.h>

#include <string>

namespace loom::window {

/// Captures a whole panel, including the part that is scrolled out of view. The panel is drawn off screen for several
/// frames, in a window that grows until nothing scrolls or the maximum picture size is reached. The docked panel keeps
/// its place meanwhile.
class FullPanelCapture {
 public:
  /// Starts capturing the panel with this id. `size` is the panel's size on the screen, `most` the largest size of a
  /// picture, both in ImGui's units.
  void begin(std::string panel, ImVec2 size, ImVec2 most);
  void end() { panel_.clear(); }
  /// Returns the id of the panel that is captured; empty if there is none.
  const std::string& panel() const { return panel_; }
  /// Begin and end the off-screen window in this frame; the panel is to be drawn between the two calls.
  void open(const std::string& title);
  void close();
  /// Returns the ImGui name of that window.
  std::string window() const;
  /// To be called after each frame. Returns whether that frame is the one to keep; otherwise another is needed.
  bool isComplete();
  /// Returns whether the panel is larger than a picture may be, so that part of it is missing.
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

/// Returns what a window and its child windows drew in the frame that has just been rendered, to be drawn by itself.
/// `size` is that of the window. The result refers to ImGui's lists, and is valid until the next frame begins.
ImDrawData drawDataOf(const std::string& window);

}  // namespace loom::window
