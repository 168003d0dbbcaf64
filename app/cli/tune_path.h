#pragma once

#include <optional>
#include <string>

#include "core/tune/search/winner_path.h"

namespace loom::cli {

/// Prints on stdout, as a table, the path, which has at least one schedule, from a first schedule to the winner of a
/// search (the fastest schedule found).
/// Each schedule on the path has a line: its time with its unit, how many times faster it is than the one before, and
/// the decisions (tile sizes, numbers of pipeline stages, …) that changed, with their values before and after; the
/// first line says what schedule the path begins at. Times are measured if WinnerPath::isMeasured, else predicted;
/// unknown ones stay blank. If the path has several steps, a last line says how many times faster the winner is than
/// the first schedule. If the path doesn't begin at the user's schedule (WinnerPath::own), one more line has that
/// schedule's time, how many times faster the winner is, and why no path leads from it. `prepared` is the search that
/// `path` is from. The names of its decisions are printed in `language`, "en" or "zh"; all else is in English. With
/// `json`, prints instead one line `{"path": […]}` with an object for each schedule. Each has "measured_us" or
/// "predicted_us" (µs). The first has "from": "own" (the user's schedule) or "construction" (the schedule made without
/// search). The others have "gain" (above 1: faster than the one before), "decisions" (`{name: [before, after]}`) and
/// "together" (why several decisions changed at once). Unknown values are left out. The line then also has "own", an
/// object with the time of the user's schedule and "why" no path leads from it.
void printPath(const tune::PreparedSearch& prepared, const tune::WinnerPath& path, const std::string& language,
               bool json);

}  // namespace loom::cli
