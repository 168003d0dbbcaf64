#pragma once

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/device/hardware_axis.h"
#include "core/device/memory_level.h"

/// Hardware axes and memory levels as colours, letters and words.
namespace loom::notation {

/// Returns the colour of what a loop is mapped to: blockIdx, an axis of threadIdx, virtual threads, vector lanes,
/// unrolled code, serial execution, or a reduction.
Tone toneOf(device::HardwareAxis axis);
/// Returns the letter of a level at which a program places buffers: "G" for global and "S" for shared memory, or else
/// "R" for registers.
const char* letterOf(device::MemoryLevel level);
/// Returns the word for what a loop is mapped to; all axes of threadIdx have the same one.
const text::Text& wordOf(device::HardwareAxis axis);
/// Returns the word for a level at which a program places buffers.
const text::Text& wordOf(device::MemoryLevel level);

}  // namespace loom::notation
