#pragma once

#include <utility>

#include "app/panels/memory/bands.h"
#include "app/panels/memory/view/box_figures.h"

namespace loom::panels {

/// The boxes of buffers, each in its level and the column of its operand: name, size, bank conflicts and how often a
/// block fills it anew; at the foot from where to where in the kernel it is in use. Everything is in the hover, too.
class MemoryBuffers {
 public:
  /// All arguments must outlive the object, which lives for one frame.
  MemoryBuffers(PanelContext& context, const ShownMemory& shown, const MemoryBands& bands)
      : context_(context), shown_(shown), bands_(bands) {}

  void draw() const;
  /// Returns whether one of the boxes has a bar that says when it is in use.
  bool haveLives() const;

 private:
  bool hasBox(std::size_t buffer) const;
  // Return from where in its column a box goes, and how wide, in px: it is the `place`-th of `sharing`.
  std::pair<float, float> shareOf(const session::MemoryBuffer& buffer, int place, int sharing) const;
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
