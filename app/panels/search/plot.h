#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/look.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// A dot of a plot of schedules, which stands for a schedule that a search has looked at.
struct PlotDot {
  double x = 0, y = 0;                      ///< `x` in the unit of the plot's axis, `y` in µs
  window::Tone tone = window::Tone::kText;  ///< its colour
  bool isFilled = true, isStar = false;     ///< whether it is filled, else a ring; whether it is a star (always filled)
  int search = 0, schedule = 0;             ///< index in SearchState::searches, and in the schedules of that search
};

/// A curve that descends in steps from left to right: the best time so far.
struct PlotStairs {
  std::vector<std::pair<double, double>> corners;  ///< x, and time in µs, of each improvement
  double end = 0;                                  ///< x at which the curve ends
  window::Tone tone = window::Tone::kText;
};

/// A time that a plot shows as a dashed line.
struct PlotTime {
  double time = 0;   ///< µs
  std::string name;  ///< text on the line
};

/// A plot of schedules. Its y axis is time in µs on a logarithmic scale.
struct SchedulePlot {
  std::vector<PlotDot> dots;
  std::vector<PlotStairs> stairs;
  std::string xName, empty;  ///< name of the x axis; text in a plot without dots, which has neither axes nor curves
  bool isDiagonal = false;  ///< whether x is a time in µs on the same scale, with a line where x = y; else x is linear
  std::vector<PlotTime> times;  ///< of others than schedules of the search
};

/// Draws a plot at ImGui's cursor, `width` × `height` px large, with `id` as its ImGui id. Returns the dot nearest to
/// the mouse (nothing: none is within 10 design px, that is, px at a scale of 1), and whether that dot was clicked.
std::pair<std::optional<PlotDot>, bool> drawSchedulePlot(const window::Look& look, const char* id,
                                                         const SchedulePlot& plot, float width, float height);

}  // namespace loom::panels
