// Steps by which something refused can be done after all. Found by trying, as candidates are: a state is a value and a
// primitive costs microseconds, so what is proposed has been accepted, line by line.
#pragma once
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Step lines of which the last does what was asked: others come before it (loops are put in order, a reduction is
// decomposed, a tile is cut and its buffers are staged), or an argument differs (a factor becomes None). "" where none
// of what was tried is accepted. Loops are named by `get_loops` of a block whose name no other block has; names that
// the schedule has given keep their meaning. Takes some ms: not for each frame.
std::string suggestedFix(const State& state, const Instruction& row, const Arguments& arguments,
                         const Environment& environment);
// Of a line that a primitive refused; its results keep their names. "" also where the line is accepted or is no call.
std::string suggestedFix(const State& state, const script::StepCall& line, const Environment& environment);

// The error of such a line, with its remedy.
Error withRemedy(Error error, const State& state, const script::StepCall& line, const Environment& environment);

}  // namespace loom::schedule
