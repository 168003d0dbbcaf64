#pragma once

namespace loom::session {
struct HotLoopIteration;
struct InstructionMix;
}  // namespace loom::session

namespace loom::panels {

struct PanelContext;

/// One trip of the hot loop: instructions, issue clocks, waits, what they are; unfolded, a line of the CUDA text each
/// with what made it. A click on one selects it.
void drawHotTrip(PanelContext& context, const session::HotLoopIteration& hot, const session::InstructionMix& mix,
                 bool& open);

}  // namespace loom::panels
