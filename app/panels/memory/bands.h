#pragma once

#include <imgui.h>

#include <array>

#include "app/panels/memory/view/change.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/panel.h"
#include "core/model/timeline_position.h"

namespace loom::panels {

/// The data from which the picture of the memory levels is drawn: the memory view of a state (a program after some
/// schedule steps), and the user's choice of which figures to draw. Lives for one frame.
struct ShownMemory {
  const session::StateModel& model;
  const session::MemoryView& view;  ///< made of `model`; its traffic is that of the machine code if `isCompiled`
  /// How `view` differs from `before`. Marks nothing if `before` is null, or if `isCompiled` and the machine code of
  /// the state compared with isn't known.
  const session::MemoryChange& change;
  const session::MemoryView* before;  ///< view of the state that this one is compared with; null: there is none
  bool isPreview = false;             ///< whether the state is previewed only: the step that leads to it isn't applied
  bool isCompiled = false;   ///< whether arrows show the traffic of the machine code; else of the program as written
  bool isWholeGrid = false;  ///< whether all bytes are those of the whole grid; else of one thread block, except
                             ///< those from and to global memory, which are always the grid's
  /// The moment of a thread block's predicted timeline that the panel Playback shows; null: none.
  const model::TimelinePosition* position;
};

/// The layout of the picture: the places of the memory levels, from global memory at the top to the tensor cores at the
/// bottom, and of the columns in them, one for each operand. All coordinates are in px of the screen. The layout
/// depends only on the scale, the constructor's `origin`, `width` and `isWide`, the number of operands, whether shared
/// memory is dynamic (names of buffers end in ".dyn"), and on names of buffers that share a column there, so that a
/// level mostly keeps its place from state to state.
class MemoryBands {
 public:
  /// `origin` is the upper left corner of the first level, and `width` the width of the picture in px. `isWide` says
  /// whether the tables of figures (drawMemoryFigures) stand beside the picture rather than below it.
  MemoryBands(const window::Look& look, const session::MemoryView& view, ImVec2 origin, float width, bool isWide);

  bool isWide() const { return wide_; }
  /// Returns whether the picture is narrow: names of levels are short and stand below the levels' letters, and arrows
  /// have little room.
  bool isTight() const { return tight_; }
  /// Return the top and the bottom edge of a level; `level` is a device::MemoryLevel as a number.
  float top(int level) const { return tops_[std::size_t(level)]; }
  float bottom(int level) const { return tops_[std::size_t(level)] + heights_[std::size_t(level)]; }
  /// Returns the left edge of a column; for the number behind the last column, the right edge of the picture.
  float left(int column) const { return origin_.x + title_ + float(column) * columnWidth_; }
  float right() const { return left(columns_); }
  ImVec2 origin() const { return origin_; }
  float titleWidth() const { return title_; }
  float columnWidth() const { return columnWidth_; }
  /// Returns the height of the gap between two levels, in px, in which the arrows are drawn.
  float gap() const { return gap_; }
  /// Returns the width of the gap between a buffer's box and the next column, in px, in which traffic that bypasses the
  /// level is drawn.
  float boxGap() const { return boxGap_; }
  /// Returns how many lines of text the name of a buffer at that level may take.
  int nameLines(device::MemoryLevel level) const { return nameLines_[std::size_t(level)]; }

  /// Draws the background, the letter and the name of each level, and reports the place of a level that a lesson points
  /// at (LessonHighlight::mark). `view` is the one that the constructor was given. To be called before arrows and boxes
  /// are drawn over it.
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

/// Selects the loops, blocks or buffers `ids`, in place of what was selected, if the ImGui item drawn last was clicked;
/// the selection stays if `ids` is empty. While the mouse is on the item, its cursor is a hand.
void selectOnClick(session::Session& session, const std::vector<ir::Id>& ids);

}  // namespace loom::panels
