#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sass/liveness.h"
#include "core/sass/loop.h"

namespace loom::session {

/// The columns beside a SASS text: the control bits of each instruction, with which the compiler schedules its issue,
/// and the number of general registers that are live at it. Vectors are indexed by line of the text, from 0. A line
/// with a label has empty entries, but in `pending` the entry of the instruction below it.
struct IssueColumns {
  std::vector<std::optional<sass::IssueControl>> control;  ///< control bits; the vector is empty if `noControl` is set
  std::vector<std::uint8_t> pending;                       ///< bit n: scoreboard n may be outstanding before the line
  std::vector<std::vector<int>> waitsFor;                  ///< the lines that set the scoreboards the line waits for
  std::vector<int> alive;  ///< live registers; −1 for a label; the vector is empty if `noAlive` is set
  int peak = 0;            ///< the largest number of live registers
  int peakLine = -1;       ///< the first line with that many live registers; −1: not known
  std::vector<sass::RegisterAllotment> allotments;  ///< registers per thread that setmaxnreg sets, by instruction index
  std::optional<Error> noControl, noAlive;          ///< why `control`, or `alive`, isn't known; nothing if it is
};

/// Makes the columns of a SASS text that has `lines` lines. `lineOf` has, by index into sass::Kernel::instructions, the
/// index of the line that shows the instruction.
IssueColumns issueColumnsOf(const sass::Kernel& sass, const std::vector<int>& lineOf, int lines);

/// One iteration of the hot loop (the loop that executes the most instructions), with the schedule step that made each
/// of its CUDA lines.
struct HotLoopIteration {
  sass::LoopIteration iteration;  ///< its instructions, clocks to issue and waits, in all and by CUDA line
  /// For each entry of iteration.lines: the step that made the CUDA line ("cache_read, step 14"), as a comment in the
  /// kernel says; empty if no comment does.
  std::vector<Message> madeBy;
};

/// Returns one iteration of the loop with index `loop` in sass::Kernel::loops. `source` is the CUDA text.
HotLoopIteration hotLoopIterationOf(const sass::Kernel& sass, int loop, const std::string& source);

}  // namespace loom::session
