#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sass/liveness.h"
#include "core/sass/loop.h"

namespace loom::session {

/// The columns beside a SASS text: the control bits of each instruction, with which the compiler schedules its issue,
/// and the number of general registers per thread that are live at it. `control`, `pending`, `waitsFor` and `alive`
/// have an entry for each line of the text, from 0. The first three are empty if `noControl` is set, and `alive` is
/// empty if `noAlive` is set.
struct IssueColumns {
  std::vector<std::optional<sass::IssueControl>> control;  ///< control bits; nothing for a line without an instruction
  /// Bit n: scoreboard n may be outstanding before the line. A line without an instruction, such as a label, has what
  /// the instruction right below it has, or 0.
  std::vector<std::uint8_t> pending;
  /// The lines that may have set the scoreboards that the line waits for; empty if it waits for none.
  std::vector<std::vector<int>> waitsFor;
  std::vector<int> alive;  ///< number of live registers; −1 for a line without an instruction
  int peak = 0;            ///< the largest number of live registers; 0: not known
  int peakLine = -1;       ///< the first line with that many live registers; −1: not known
  /// An entry for each setmaxnreg, in the code's order: the registers per thread that it sets, and the most that are
  /// live at an instruction reached from it before another one. RegisterAllotment::peakAt is the index of an
  /// instruction, not of a line. Empty if there is no setmaxnreg, or if `noAlive` is set.
  std::vector<sass::RegisterAllotment> allotments;
  std::optional<Error> noControl, noAlive;  ///< why `control`, or `alive`, isn't known; nothing if it is
};

/// Makes the columns of a SASS text that has `lines` lines. `lineOf` has, by index into sass::Kernel::instructions, the
/// index of the line that shows the instruction.
IssueColumns issueColumnsOf(const sass::Kernel& sass, const std::vector<int>& lineOf, int lines);

/// One iteration of a loop, in the panel the hot one (which executes the most instructions), with the schedule step
/// that made each of its CUDA lines.
struct HotLoopIteration {
  sass::LoopIteration iteration;  ///< its instructions, clocks to issue and waits, in all and by CUDA line
  /// For each entry of iteration.lines: the step that made the CUDA line ("cache_read, step 14"), as a comment in the
  /// CUDA text says; empty if no comment does.
  std::vector<Message> madeBy;
};

/// Returns one iteration of the loop with index `loop`, which must be valid, in sass::Kernel::loops. `source` is the
/// CUDA text; if it is empty, so is each entry of `madeBy`.
HotLoopIteration hotLoopIterationOf(const sass::Kernel& sass, int loop, const std::string& source);

}  // namespace loom::session
