#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sass/liveness.h"
#include "core/sass/loop.h"

namespace loom::session {

/// What stands beside the lines of a SASS text: what the compiler decided about each instruction's issue, and how many
/// general registers are alive at it. By line of the text; a label has neither.
struct IssueColumns {
  std::vector<std::optional<sass::IssueControl>> control;  ///< empty: not known, see `noControl`
  std::vector<std::uint8_t> pending;                       ///< bit n: barrier n may be outstanding before the line
  std::vector<std::vector<int>> waitsFor;                  ///< lines that set the barriers which the line waits for
  std::vector<int> alive;                                  ///< −1: a label. Empty: not known, see `noAlive`
  int peak = 0, peakLine = -1;                             ///< the most registers alive, and where that is first so
  std::vector<sass::RegisterAllotment> allotments;         ///< by setmaxnreg, with instructions of the code
  std::optional<Error> noControl, noAlive;
};

/// `lineOf`: by sass::Kernel::instructions, its line in a text of `lines` lines.
IssueColumns marginOf(const sass::Kernel& sass, const std::vector<int>& lineOf, int lines);

/// One trip of the hot loop, with what made each of its lines.
struct HotLoopIteration {
  sass::LoopTrip trip;
  std::vector<Message> madeBy;  ///< by trip.lines: "cache_read, step 14", the kernel's own comment; empty: none
};

/// `source`: the CUDA text.
HotLoopIteration hotTripOf(const sass::Kernel& sass, int loop, const std::string& source);

}  // namespace loom::session
