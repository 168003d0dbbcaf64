#pragma once

#include <utility>

#include "app/panels/memory/bands.h"
#include "app/panels/memory/view/box_figures.h"

namespace loom::panels {

/// Draws a box for each buffer, in the band of its memory level and the column of its operand; all arrays of mbarriers
/// share one box. A box has the buffer's name, and as far as there is room its size, its bank conflicts and how often a
/// thread block fills the buffer anew; a bar at the foot shows from which access to which, in program order, the buffer
/// is in use. The box's tooltip has all of this, too.
class MemoryBuffers {
 public:
  /// `shown` has the buffers to draw, and `bands` the places of the levels. All arguments must outlive the object,
  /// which lives for one frame.
  MemoryBuffers(PanelContext& context, const ShownMemory& shown, const MemoryBands& bands)
      : context_(context), shown_(shown), bands_(bands) {}

  /// Draws all boxes into the current ImGui window.
  void draw() const;
  /// Returns whether any of the boxes has the bar at its foot.
  bool haveLives() const;
  /// Returns a sentence on the letters that stand for mbarriers in their box, where it has no room for their names;
  /// empty where there are none.
  std::string lettersNote() const;

 private:
  std::pair<ImVec2, ImVec2> placeOf(std::size_t buffer) const;
  void drawBox(const session::MemoryBuffer& buffer, bool changed, ImVec2 from, ImVec2 to) const;
  void drawTexts(const session::MemoryBuffer& buffer, const session::MemoryBuffer* was, ImVec2 from, ImVec2 to) const;
  std::vector<session::BoxFigure> figuresOf(const session::MemoryBuffer& buffer, const session::MemoryBuffer* was,
                                            float room) const;
  void drawItem(const session::MemoryBuffer& buffer, const session::MemoryBuffer* was, ImVec2 from, ImVec2 to) const;
  void drawMbarriers(ImVec2 from, ImVec2 to) const;
  void drawLife(const session::MemoryBuffer& buffer, ImVec2 from, ImVec2 to) const;

  PanelContext& context_;
  const ShownMemory& shown_;
  const MemoryBands& bands_;
};

}  // namespace loom::panels
