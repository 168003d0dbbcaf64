#pragma once

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/device/hardware_axis.h"
#include "core/device/memory_level.h"

/// Hardware axes and memory levels as colours, letters and words.
namespace loom::notation {

/// Returns the colour of a hardware axis, such as blockIdx or threadIdx.x.
Tone toneOf(device::HardwareAxis axis);
/// Returns the letter of a level at which a program places buffers: "G", "S" or "R".
const char* letterOf(device::MemoryLevel level);
/// Returns the word for a hardware axis.
const text::Text& wordOf(device::HardwareAxis axis);
/// Returns the word for a level at which a program places buffers.
const text::Text& wordOf(device::MemoryLevel level);

}  // namespace loom::notation
