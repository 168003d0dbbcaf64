#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sass/liveness.h"
#include "core/sass/loop.h"

namespace loom::session {

/// The columns beside a SASS text: the control bits of each instruction, with which the compiler schedules its issue,
/// and the number of general registers that are live at it. Vectors are by line of the text; entries of labels are
/// empty.
struct IssueColumns {
  std::vector<std::optional<sass::IssueControl>> control;  ///< control bits; no entries if not known, see `noControl`
  std::vector<std::uint8_t> pending;                       ///< bit n: scoreboard n may be outstanding before the line
  std::vector<std::vector<int>> waitsFor;                  ///< the lines that set the scoreboards the line waits for
  std::vector<int> alive;  ///< live registers; −1 for a label; no entries if not known, see `noAlive`
  int peak = 0;            ///< the most live registers
  int peakLine = -1;       ///< the first line with that many; −1: not known
  std::vector<sass::RegisterAllotment> allotments;  ///< registers by setmaxnreg, with indices of instructions
  std::optional<Error> noControl, noAlive;          ///< why these are not known
};

/// Makes the columns of a text of `lines` lines. `lineOf` has, by index into sass::Kernel::instructions, the
/// instruction's line.
IssueColumns issueColumnsOf(const sass::Kernel& sass, const std::vector<int>& lineOf, int lines);

/// One iteration of the hot loop, with what made each of its lines.
struct HotLoopIteration {
  sass::LoopIteration iteration;
  std::vector<Message>
      madeBy;  ///< by iteration.lines: "cache_read, step 14", as the comment in the kernel says; empty: it has none
};

/// Returns one iteration of the loop with index `loop` in sass::Kernel::loops. `source` is the CUDA text.
HotLoopIteration hotLoopIterationOf(const sass::Kernel& sass, int loop, const std::string& source);

}  // namespace loom::session
