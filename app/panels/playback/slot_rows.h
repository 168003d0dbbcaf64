#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/playback/view/pipeline.h"
#include "app/ui/look.h"

/// What rows over a part of a block's life have in common: their places, names and figures, and the slots of rings.
namespace loom::panels::playback {

/// The least height of a row with words, design px.
inline constexpr float kWordRow = 12;

/// Where the rows are, in px of the screen.
struct PipelineRows {
  ImVec2 from;        ///< the upper left corner of what is drawn over time
  float right = 0;    ///< its right edge
  float title = 0;    ///< room to the left, for the names of rows
  float figures = 0;  ///< room to the right, for figures; 0: none
  float row = 0;      ///< height of a row
};

/// A part of a block's life, with the cursor; clocks.
struct ShownTime {
  double from = 0;    ///< since the block began
  double clocks = 0;  ///< its length
  double now = -1;    ///< since `from`; below 0: there is no cursor

  bool isNow(double since, double until) const { return now >= since && now < until; }
};

/// Returns the x coordinate, in px, of a time since `shown.from`, kept within the rows.
float xOf(const PipelineRows& rows, const ShownTime& shown, double clocks);
/// Draws the letter and the name of the row whose top is `y`.
void drawRowName(const window::Look& look, const PipelineRows& rows, float y, const char* letter, window::Tone tone,
                 const std::string& text);
void drawRowFigures(const window::Look& look, const PipelineRows& rows, float y, const std::string& text);
void drawRowEnd(const window::Look& look, const PipelineRows& rows, float y);

/// Draws what one slot of a ring holds: in flight, landed, being read; with its name and the ring's figures.
void drawSlotRow(const window::Look& look, const PipelineRows& rows, float y, const ShownTime& shown,
                 const session::BufferRing& ring, int slot);
/// Draws the bars alone; without words if a row is too low for them.
void drawSlotBars(const window::Look& look, const PipelineRows& rows, float y, const ShownTime& shown,
                  const session::BufferRing& ring, int slot);
/// Returns the colour of the memory that a ring is in.
window::Tone toneOf(const session::BufferRing& ring);
/// Returns what the slot holds at a time of the block's life, in clocks, for a tooltip.
std::string slotHint(const window::Look& look, const session::BufferRing& ring, int slot, double clocks);

/// Returns names separated by commas: "A_shared, B_shared".
std::string joined(const std::vector<std::string>& names);
/// Returns the iteration whose values these are, "kt = 5"; the number alone if no pipelined loop counts them.
std::string stepText(const std::string& loop, std::int64_t step);
/// Returns what a slot holds: "k = 5 in flight".
std::string slotText(const window::Look& look, const session::BufferRing& ring, const session::SlotSpan& span);

}  // namespace loom::panels::playback
