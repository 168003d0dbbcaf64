#pragma once

#include <string>

#include "app/panels/memory/bands.h"
#include "app/ui/palette.h"

namespace loom::panels {

/// The traffic between the levels: an arrow for what travels from one level to another for an operand, as wide as its
/// bytes ask for, with the bytes beside it and how they were obtained in its hover; and, left of the arrows, the
/// arithmetic for each byte that crosses from one level to the next.
class MemoryArrows {
 public:
  /// All arguments must outlive the object, which lives for one frame.
  MemoryArrows(PanelContext& context, const ShownMemory& shown, const MemoryBands& bands)
      : context_(context), shown_(shown), bands_(bands) {}

  void draw() const;
  /// Draws the arithmetic intensities, where the picture has room for them. Requires a kernel.
  void drawIntensities() const;

 private:
  struct Arrow;
  Arrow placeOf(const session::MemoryTraffic& traffic) const;
  void drawArrow(const session::MemoryTraffic& traffic, bool changed, double was) const;
  void drawBytes(const session::MemoryTraffic& traffic, const Arrow& arrow, std::string text, window::Tone ink) const;
  void drawIntensity(int level, ImVec2 at, ImVec2 size) const;
  std::string hintOf(const session::MemoryTraffic& traffic, double was) const;
  bool isOfGrid(const session::MemoryTraffic& traffic) const;
  double bytesOf(const session::MemoryTraffic& traffic) const;
  const session::MemoryTraffic* passingBeside(const session::MemoryTraffic& traffic) const;
  bool isMoving(const session::MemoryTraffic& traffic) const;

  PanelContext& context_;
  const ShownMemory& shown_;
  const MemoryBands& bands_;
};

}  // namespace loom::panels
