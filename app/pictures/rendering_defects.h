#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/text_runs.h"
#include "app/window/image.h"

namespace loom::window {

/// A defect that a reader of a picture would notice.
struct RenderingDefect {
  enum class Kind {
    kCut,        ///< characters end at an edge beyond which nobody can scroll
    kEdge,       ///< they come so close to an edge that more may be lost beyond, or end there by chance
    kSideways,   ///< they end at an edge, and scrolling sideways shows the rest
    kOver,       ///< two texts lie on one another
    kFaint,      ///< text hardly differs from its ground
    kShortened,  ///< "…" stands for a part that no hover tells
  };
  Kind kind = Kind::kCut;
  std::string text;
  std::string other;    ///< of kOver: the second text; of kShortened: the whole one
  ImVec2 at;            ///< upper left corner, from the window's
  double contrast = 0;  ///< of kFaint: as WCAG 2.2 defines it, 1 to 21
};

/// Returns whether a reader certainly stumbles over it: kCut, kOver, kFaint and kShortened.
bool isCertain(RenderingDefect::Kind kind);
std::string_view nameOf(RenderingDefect::Kind kind);

/// Returns the defects of a window in the frame that has just ended, whose picture is `whole`. `pixelsPerUnit` is as in
/// `cropped`. Text with a contrast below `least` counts as faint.
std::vector<RenderingDefect> faultsOf(const std::string& window, const Image& whole, ImVec2 pixelsPerUnit,
                                      double least);

}  // namespace loom::window
