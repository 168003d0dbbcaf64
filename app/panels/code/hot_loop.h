#pragma once

namespace loom::session {
struct HotLoopIteration;
struct InstructionMix;
}  // namespace loom::session

namespace loom::panels {

struct PanelContext;

/// Draws a headline on one iteration of the hot loop, the loop that executes the most instructions, over its machine
/// code: how many instructions it has and of which kinds, the clocks in which they issue, and the waits for
/// scoreboards. While `open` is true, a table below it has a row for each line of the CUDA text that instructions of
/// the loop come from, with the schedule step that made the line. `mix` has the number of instructions by pipe. A click
/// on the headline changes `open`; a click on a row selects the row's line.
void drawHotLoopIteration(PanelContext& context, const session::HotLoopIteration& hot,
                          const session::InstructionMix& mix, bool& open);

}  // namespace loom::panels
