#pragma once

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/device/memory_level.h"

namespace loom::notation {

/// The colour and the name of a level of the memory hierarchy, in the panel and in reports.
struct LevelLook {
  Tone tone;
  const text::Text& name;
};
LevelLook lookOf(device::MemoryLevel level);

/// Returns the width, in px, of the arrow for a number of bytes, the same in every state: 4 KiB is a hair, 16 GiB the
/// widest.
double arrowWidth(double bytes);

}  // namespace loom::notation
