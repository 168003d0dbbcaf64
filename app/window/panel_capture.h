#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/ui/look.h"
#include "app/window/image.h"

namespace loom::window {

/// A rectangle on the screen, in ImGui's coordinates.
struct PanelRect {
  ImVec2 from, to;  ///< upper left and lower right corner
};
/// Returns the rectangle of the ImGui window with this name as it was last drawn; nothing if the window is closed or
/// behind another tab.
std::optional<PanelRect> panelRect(const std::string& window);

/// Returns the part of a picture of the whole window that lies in the rectangle; empty if none does. `pixelsPerUnit` is
/// the number of pixels of the picture per ImGui unit, along x and y.
Image cropped(const Image& picture, const PanelRect& rect, ImVec2 pixelsPerUnit);

/// Returns what the ImGui window with this name and its child windows drew in the last frame as an SVG file: areas as
/// paths, and text as text that can be selected and searched. `look` must be the one that the frame was drawn with: it
/// has the faces and the background. Must be called between that frame and the next; the frame must have been drawn
/// while an `ExactShapes` existed. Returns an empty text if the window is not shown.
std::string panelSvg(const std::string& window, const Look& look);

/// While an object of this class exists, lines and areas are drawn without anti-aliasing, whose soft edges would become
/// shapes of their own in an SVG.
class ExactShapes {
 public:
  /// Turns anti-aliasing off for the frames of the current ImGui context; the destructor restores the settings.
  ExactShapes();
  ~ExactShapes();
  ExactShapes(const ExactShapes&) = delete;
  ExactShapes& operator=(const ExactShapes&) = delete;

 private:
  bool lines_, linesByTexture_, fill_;
};

}  // namespace loom::window
