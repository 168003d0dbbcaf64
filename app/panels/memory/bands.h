#pragma once

#include <imgui.h>

#include <array>

#include "app/panels/memory/view/change.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/panel.h"
#include "core/model/timeline_position.h"

namespace loom::panels {

/// What all parts of the picture of the memory levels are drawn from: a state's memory view and what is chosen of it.
/// Lives for one frame.
struct ShownMemory {
  const session::StateModel& model;
  const session::MemoryView& view;          ///< the model's; its traffic is the machine code's where `isCompiled`
  const session::MemoryChange& change;      ///< how it differs from the state that it is told against
  const session::MemoryView* before;        ///< that state's view; null: there is none
  bool isPreview = false;                   ///< the state is one that a step would give
  bool isCompiled = false;                  ///< arrows are those of the machine code
  bool isWholeGrid = false;                 ///< bytes are the whole grid's, else a block's
  const model::TimelinePosition* position;  ///< where Playback stands; null: nowhere
};

/// The places of the levels in the panel, from global memory at the top to the tensor cores at the bottom, and of the
/// operands' columns in them; in px of the screen. They follow from the panel's width and the number of operands alone,
/// so that a level keeps its place from state to state.
class MemoryBands {
 public:
  /// `origin` is the upper left corner of the first level and `width` the width of the picture, in px; `isWide` says
  /// that the figures stand beside it, not below.
  MemoryBands(const window::Look& look, const session::MemoryView& view, ImVec2 origin, float width, bool isWide);

  bool isWide() const { return wide_; }
  /// Returns whether names of levels are short and stand below their letters, and arrows have little room.
  bool isTight() const { return tight_; }
  float top(int level) const { return tops_[std::size_t(level)]; }
  float bottom(int level) const { return tops_[std::size_t(level)] + heights_[std::size_t(level)]; }
  /// Returns the left edge of a column; for the column behind the last, the right edge of the picture.
  float left(int column) const { return origin_.x + title_ + float(column) * columnWidth_; }
  float right() const { return left(columns_); }
  ImVec2 origin() const { return origin_; }
  float titleWidth() const { return title_; }
  float columnWidth() const { return columnWidth_; }
  /// Returns the gap between two levels, in px, which has the arrows.
  float gap() const { return gap_; }
  /// Returns the gap between a buffer and the next column, in px, in which traffic that bypasses the level is drawn.
  float boxGap() const { return boxGap_; }
  /// Returns how many lines the name of a buffer may take.
  int nameLines(device::MemoryLevel level) const { return nameLines_[std::size_t(level)]; }

  /// Draws the levels: their ground, letter and name. Marks the one that a lesson points at.
  void draw(PanelContext& context, const session::MemoryView& view) const;

 private:
  void drawName(const window::Look& look, const session::MemoryView& view, int level) const;

  bool wide_, tight_;
  ImVec2 origin_;
  float title_, gap_, boxGap_, columnWidth_ = 0;
  int columns_ = 1;
  std::array<float, session::kMemoryLevels> tops_{}, heights_{};
  std::array<int, session::kMemoryLevels> nameLines_{};
};

/// Has a click on the item drawn last select loops, blocks or buffers, as everything in the picture does; without `ids`
/// nothing.
void selectOnClick(session::Session& session, const std::vector<ir::Id>& ids);

}  // namespace loom::panels
