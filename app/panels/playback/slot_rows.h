#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/playback/view/pipeline.h"
#include "app/ui/look.h"

/// Drawing of rows over a part of a block's life: their positions, their names (left), their figures (right), and the
/// rows that show what each slot of a ring buffer holds.
namespace loom::panels::playback {

/// The least height, in design px (px at a scale of 1), of a row whose bars have text.
inline constexpr float kWordRow = 12;

/// Where the rows are, in px of the screen.
struct PipelineRows {
  ImVec2 from;        ///< the upper left corner of what is drawn over time
  float right = 0;    ///< x of the right edge of what is drawn over time
  float title = 0;    ///< width of the room to the left of it for the names of rows
  float figures = 0;  ///< width of the room to the right of it for figures; 0: none
  float row = 0;      ///< height of one row
};

/// The part of a block's life that is shown, and the cursor in it. Times are in clocks.
struct ShownTime {
  double from = 0;    ///< beginning of the part, since the block began
  double clocks = 0;  ///< length of the part
  double now = -1;    ///< the cursor's time since `from`; below 0: there is no cursor

  /// Returns whether the cursor lies in the time from `since` (included) to `until`, both counted from `from`.
  bool isNow(double since, double until) const { return now >= since && now < until; }
};

/// Returns the x coordinate, in px of the screen, of the time `clocks` since `shown.from`, clamped to the rows.
float xOf(const PipelineRows& rows, const ShownTime& shown, double clocks);
/// Draws, to the left of the row whose top is at `y`, a letter in the colour `tone`, and the row's name.
void drawRowName(const window::Look& look, const PipelineRows& rows, float y, const char* letter, window::Tone tone,
                 const std::string& text);
/// Draws figures to the right of the row whose top is at `y`; nothing if `rows.figures` is 0.
void drawRowFigures(const window::Look& look, const PipelineRows& rows, float y, const std::string& text);
/// Draws the line at `y` that separates two rows.
void drawRowEnd(const window::Look& look, const PipelineRows& rows, float y);

/// Draws the row of one slot of a ring buffer: its name; on the right, the names of the ring's buffers (slot 0) or the
/// number of slots and their size (slot 1); and bars for the times at which its contents are not awaited yet
/// or in flight, have landed, and are being read.
void drawSlotRow(const window::Look& look, const PipelineRows& rows, float y, const ShownTime& shown,
                 const session::BufferRing& ring, int slot);
/// Draws the number of each slot of a ring to the left of its bars, for rows too low for names. `y` is the top of the
/// first row. Draws nothing for a ring of one slot, and where numbers would be too small to read.
void drawSlotNumbers(const window::Look& look, const PipelineRows& rows, float y, const session::BufferRing& ring);
/// Draws only the bars that `drawSlotRow` draws; without text if the row is lower than `kWordRow`. The bars of slots
/// with an odd number are stronger.
void drawSlotBars(const window::Look& look, const PipelineRows& rows, float y, const ShownTime& shown,
                  const session::BufferRing& ring, int slot);
/// Returns the colour of the memory that a ring buffer is in: shared memory or registers.
window::Tone toneOf(const session::BufferRing& ring);
/// Returns the tooltip of a slot: what it holds `clocks` after the block began, or that it is free.
std::string slotHint(const window::Look& look, const session::BufferRing& ring, int slot, double clocks);

/// Returns names separated by commas: "A_shared, B_shared".
std::string joined(const std::vector<std::string>& names);
/// Returns the text of an iteration of a pipelined loop, "kt = 5". Returns "#5" if `loop`, the name of its variable, is
/// empty.
std::string stepText(const std::string& loop, std::int64_t step);
/// Returns what a slot holds during one of its spans: "k = 5 being read".
std::string slotText(const window::Look& look, const session::BufferRing& ring, const session::SlotSpan& span);

}  // namespace loom::panels::playback
