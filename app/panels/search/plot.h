#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/look.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// A dot of a plot of schedules.
struct PlotDot {
  double x = 0, y = 0;  ///< `y` in µs
  window::Tone tone = window::Tone::kText;
  bool isFilled = true, isStar = false;
  int search = 0, schedule = 0;  ///< indices in SearchState::searches and in its schedules
};

/// A curve that descends in steps from left to right: the best time so far.
struct PlotStairs {
  std::vector<std::pair<double, double>> corners;  ///< x and µs of each improvement
  double end = 0;                                  ///< x up to which the last one holds
  window::Tone tone = window::Tone::kText;
};

/// A plot with times upwards, on a logarithmic scale.
struct SchedulePlot {
  std::vector<PlotDot> dots;
  std::vector<PlotStairs> stairs;
  std::string xName, empty;  ///< of the axis to the right; what stands in a plot without dots
  bool isDiagonal = false;   ///< x is a time on the same scale, and a line shows where both are equal
  double vendor = 0;         ///< µs, a dashed line; 0: none
  std::string vendorName;
};

/// Draws a plot in the current window. Returns the dot under the mouse, if there is one, and whether it was clicked.
std::pair<std::optional<PlotDot>, bool> drawSchedulePlot(const window::Look& look, const char* id,
                                                         const SchedulePlot& plot, float width, float height);

}  // namespace loom::panels
