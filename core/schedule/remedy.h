// Finds step lines, lines of a schedule, that achieve what a refused step was meant to do. They are found by trying,
// since a state is a value and a primitive takes microseconds: every suggestion has been applied and accepted, line by
// line.
#pragma once
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns step lines, with "\n" between them, of which the last one does what a call of the primitive `row` with these
// arguments, refused in `state`, asked for. Lines before it prepare for it (loops are reordered, a reduction is
// decomposed, a tile is split off and its buffers are staged), or an argument of it differs (a factor becomes None).
// Returns an empty text if no variant is accepted. Loops are named through `get_loops` of a block with a unique name;
// names that the schedule has assigned keep their meaning. Takes some milliseconds, so it must not run in every frame.
std::string suggestedFix(const State& state, const Instruction& row, const Arguments& arguments,
                         const Environment& environment);
// Returns the step lines that achieve what the refused call of a line was meant to do. If the line's right side is that
// call, the results keep the names on its left side; if the call is nested or indexed there, the lines do only what the
// call does. Returns an empty text if no variant is accepted, if no primitive refuses the line, and if the line is no
// call.
std::string suggestedFix(const State& state, const script::StepCall& line, const Environment& environment);

// Returns the error of a line that was refused. If it has no remedy, the lines of `suggestedFix` become its remedy.
Error withRemedy(Error error, const State& state, const script::StepCall& line, const Environment& environment);

}  // namespace loom::schedule
