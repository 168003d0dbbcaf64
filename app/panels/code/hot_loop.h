#pragma once

namespace loom::workbench {
struct HotTrip;
struct InstructionMix;
}  // namespace loom::workbench

namespace loom::panels {

struct PanelContext;

/// One trip of the hot loop: instructions, issue clocks, waits, what they are; unfolded, a line of the CUDA text each
/// with what made it. A click on one selects it.
void drawHotTrip(PanelContext& context, const workbench::HotTrip& hot, const workbench::InstructionMix& mix,
                 bool& open);

}  // namespace loom::panels
