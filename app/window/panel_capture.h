#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/ui/look.h"
#include "app/window/image.h"

namespace loom::window {

/// The rectangle of a window on the screen, as it was last drawn; nothing when it is hidden behind a tab or closed.
struct PanelRect {
  ImVec2 from, to;  ///< ImGui's coordinates
};
std::optional<PanelRect> panelRect(const std::string& window);

/// Cuts the rectangle out of a picture of the whole window, as far as it lies inside.
Image cropped(const Image& picture, const PanelRect& rect, ImVec2 pixelsPerUnit);

/// What a window and the child windows in it drew in the frame that has just ended, as an SVG file: areas as paths,
/// text as text that can be selected and searched. To be asked after the frame, before the next begins; the frame is to
/// be drawn with `ExactShapes`. Empty when the window is not shown.
std::string panelSvg(const std::string& window, const Look& look);

/// While it lives, lines and areas are drawn without the soft edges that a picture by areas would take for shapes.
class ExactShapes {
 public:
  ExactShapes();
  ~ExactShapes();
  ExactShapes(const ExactShapes&) = delete;
  ExactShapes& operator=(const ExactShapes&) = delete;

 private:
  bool lines_, linesByTexture_, fill_;
};

}  // namespace loom::window
