#pragma once

namespace loom::workbench {
struct HotLoopIteration;
struct InstructionMix;
}  // namespace loom::workbench

namespace loom::panels {

struct PanelContext;

/// One trip of the hot loop: instructions, issue clocks, waits, what they are; unfolded, a line of the CUDA text each
/// with what made it. A click on one selects it.
void drawHotTrip(PanelContext& context, const workbench::HotLoopIteration& hot, const workbench::InstructionMix& mix,
                 bool& open);

}  // namespace loom::panels
