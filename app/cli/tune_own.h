#pragma once

#include <string>
#include <vector>

#include "core/tune/search/own_schedule.h"

namespace loom::cli {

/// Prints on stdout, for each sketch of `prepared` (a schedule with open decisions), whether the user's schedule is in
/// its space. `own` has the answer for each sketch; `lines` is the number of the schedule's step lines. Each has a line
/// with the number of decisions read from the schedule; then either that the sketch makes the very same kernel with
/// their values, or each value outside its domain and each constraint that is broken, or why the kernels differ. A
/// second line has the values that were read, if there are any. It is printed in `language`, "en" or "zh". With `json`,
/// prints instead a line `{"own": {…}}` for each sketch: "sketch" is its name, "in_space" true, false or, if that isn't
/// known, null, "same_kernel" whether it makes the very same kernel, "decisions" the values read by their decisions'
/// names, "of" the number of all decisions, and "why" a list of reasons, each with its "words" in English and, where it
/// is about one, the name of the "decision" or "constraint".
void printOwnSchedule(const tune::PreparedSearch& prepared, const std::vector<tune::OwnInSketch>& own,
                      std::size_t lines, const std::string& language, bool json);

}  // namespace loom::cli
