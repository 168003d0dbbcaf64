// Finds step lines that achieve what a refused step asked for. They are found by trying: a state is a value and a
// primitive takes microseconds, so every suggestion has been applied and accepted, line by line.
#pragma once
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns step lines of which the last one does what the call asked for. Lines before it prepare for it (loops are
// reordered, a reduction is decomposed, a tile is split off and its buffers are staged), or an argument of it differs
// (a factor becomes None). Returns an empty text if no variant is accepted. Loops are named through `get_loops` of a
// block with a unique name; names that the schedule has assigned stay valid. Takes some milliseconds, so it must not
// run in every frame.
std::string suggestedFix(const State& state, const Instruction& row, const Arguments& arguments,
                         const Environment& environment);
// Returns the same for a line that a primitive refused; its results keep their names. Also empty if the line is
// accepted, or is no call.
std::string suggestedFix(const State& state, const script::StepCall& line, const Environment& environment);

// Returns the error of such a line with the suggestion as its remedy.
Error withRemedy(Error error, const State& state, const script::StepCall& line, const Environment& environment);

}  // namespace loom::schedule
