#pragma once

namespace loom::session {
struct HotLoopIteration;
struct InstructionMix;
struct Program;
}  // namespace loom::session

namespace loom::panels {

struct PanelContext;

/// Draws a headline on one iteration of the hot loop, the loop that executes the most instructions: how many
/// instructions its code has and of which kinds, the clocks in which they issue, and the waits for scoreboards. While
/// `open` is true, a table below it has a row for each line of the CUDA text that instructions of the loop come from,
/// with the schedule step that made the line. `hot` and `mix` must be of the machine code of `program`, which is the
/// session's current one or a preview's. Of `mix`, the instructions that the loop's body has by pipe are shown
/// (InstructionShare::inLoop), not how often they are executed. A click on the headline changes `open`; a click on a
/// row selects the row's line.
void drawHotLoopIteration(PanelContext& context, const session::HotLoopIteration& hot,
                          const session::InstructionMix& mix, const session::Program& program, bool& open);

}  // namespace loom::panels
