#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/text_runs.h"
#include "app/window/image.h"

namespace loom::window {

/// A defect of a picture's text that a reader would notice.
struct RenderingDefect {
  enum class Kind {
    kCut,        ///< characters end at an edge beyond which nobody can scroll
    kEdge,       ///< a text ends so close to an edge that characters beyond it may be missing, but needn't be
    kSideways,   ///< characters end at an edge, and scrolling sideways shows the rest
    kOver,       ///< two texts lie on one another
    kFaint,      ///< the colour of a text hardly differs from its background
    kShortened,  ///< a text is cut with "…", and no tooltip shows the whole of it
  };
  Kind kind = Kind::kCut;
  std::string text;     ///< the text that has the defect
  std::string other;    ///< for kOver, the second text; for kShortened, the whole text; otherwise empty
  ImVec2 at;            ///< upper left corner of the text, from that of the ImGui window, in ImGui's units
  double contrast = 0;  ///< for kFaint, the contrast ratio that WCAG 2.2 defines, 1 to 21; otherwise 0
};

/// Returns whether a defect of this kind certainly disturbs a reader: true for all but kEdge and kSideways.
bool isCertain(RenderingDefect::Kind kind);
/// Returns the name that the report of a check prints for a kind: "cut", "edge", "sideways", "over", "faint" or
/// "shortened".
std::string_view nameOf(RenderingDefect::Kind kind);

/// Returns the defects, except kShortened (tooltips.h finds these), of the ImGui window with this name and its child
/// windows in the frame that has just ended, from ImGui's draw lists: the next frame must not have begun. `whole` is
/// the picture of that frame, and `pixelsPerUnit` the number of its pixels per ImGui unit along x and y. Text whose
/// contrast ratio is below `least` counts as faint. Returns none if there is no such window.
std::vector<RenderingDefect> faultsOf(const std::string& window, const Image& whole, ImVec2 pixelsPerUnit,
                                      double least);

}  // namespace loom::window
