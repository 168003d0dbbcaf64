#pragma once

#include <imgui.h>

#include <string>

namespace loom::window {

/// Captures a whole panel, including the part that is scrolled out of view. The panel is drawn off screen for several
/// frames, in a window that grows, at most ten times, until nothing scrolls or the maximum picture size is reached. The
/// docked panel keeps its place meanwhile. After `begin`, the caller draws the panel between `open` and `close` in each
/// frame and calls `isComplete` after the frame; once that returns true, it takes the picture from `drawDataOf` and
/// calls `end`.
class FullPanelCapture {
 public:
  /// Starts capturing the panel with this id. `size` is the panel's size on the screen, `most` the largest size of a
  /// picture, both in ImGui's units.
  void begin(std::string panel, ImVec2 size, ImVec2 most);
  /// Ends the capture; the panel is drawn off screen no more.
  void end() { panel_.clear(); }
  /// Returns the id of the panel that is captured; empty if there is none.
  const std::string& panel() const { return panel_; }
  /// Begins the off-screen window in this frame, with this title. The panel is to be drawn between this call and
  /// `close`.
  void open(const std::string& title);
  /// Ends the off-screen window in this frame.
  void close();
  /// Returns the name of the off-screen window in Dear ImGui.
  std::string window() const;
  /// Returns whether the picture is to be taken of the frame that has just ended: the frame shows the whole panel, or
  /// as much of it as the limits allow. Otherwise makes the window larger, and another frame is needed. To be called
  /// after each frame.
  bool isComplete();
  /// Returns, once `isComplete` was true, whether the panel is larger than a picture may be, so that part of it is
  /// missing.
  bool isCut() const { return cut_; }

 private:
  // The window's width or height, in ImGui's units.
  struct Side {
    float now = 0, before = 0, most = 0;  // present length, that before it last grew, and the largest one
    float missing = 0;                    // how far the contents could be scrolled when the length last grew
    bool fixed = false;                   // whether growing didn't make more of the contents visible
    bool grow(float missing);
  };

  std::string panel_;
  Side across_, down_;
  ImVec2 viewport_;
  int frames_ = 0;
  bool cut_ = false;
};

/// Returns the draw lists of the ImGui window with this name and its child windows from the frame that has just ended,
/// for a picture of the window alone. The result refers to Dear ImGui's lists and is valid until the next frame begins.
/// If there is no such window, the result has no lists and its `Valid` is false.
ImDrawData drawDataOf(const std::string& window);

}  // namespace loom::window
