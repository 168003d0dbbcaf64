#pragma once

#include <string>
#include <utility>

#include "app/panels/memory/bands.h"
#include "app/ui/palette.h"

namespace loom::panels {

/// Draws the traffic between the memory levels. There is an arrow for the bytes that move from one level to another for
/// one operand. The more bytes, the wider the arrow; the number of bytes stands beside it where there is room, and its
/// tooltip says how the number was obtained. Left of the arrows stands the arithmetic intensity (FLOP per byte) between
/// neighbouring levels.
class MemoryArrows {
 public:
  /// `shown` has the traffic to draw, and `bands` the places of the levels. All arguments must outlive the object,
  /// which lives for one frame.
  MemoryArrows(PanelContext& context, const ShownMemory& shown, const MemoryBands& bands)
      : context_(context), shown_(shown), bands_(bands) {}

  /// Draws the arrows.
  void draw() const;
  /// Draws the arithmetic intensities unless the picture is too narrow for them (MemoryBands::isTight). The program
  /// must be a kernel.
  void drawIntensities() const;
  /// Returns a sentence on why the link below L2, the link below shared memory, or both carry more or fewer bytes than
  /// stand beside their arrows (whole sectors, bank conflicts, …). Empty if for each of the two links the numbers are
  /// within 5 % or not known, if the kernel executes no FLOP, or if the picture is narrow (MemoryBands::isTight).
  std::string carriedNote() const;

 private:
  struct Arrow;
  Arrow placeOf(const session::MemoryTraffic& traffic) const;
  void drawArrow(const session::MemoryTraffic& traffic, bool changed, double was) const;
  void drawBytes(const session::MemoryTraffic& traffic, const Arrow& arrow, std::string text, window::Tone ink) const;
  void drawIntensity(int level, ImVec2 at, ImVec2 size) const;
  std::pair<double, double> crossingAt(int level) const;
  double carriedAt(int level) const;
  bool tellsCarried(int level) const;
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
