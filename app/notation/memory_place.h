#pragma once

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/device/memory_level.h"

namespace loom::notation {

/// How a level of the memory hierarchy is painted and called, in the panel and in reports.
struct LevelLook {
  Tone tone;
  const text::Text& name;
};
LevelLook lookOf(device::MemoryLevel level);

/// Px of an arrow, one width for one number of bytes in every state: 4 KiB is a hair, 16 GiB the widest.
double arrowWidth(double bytes);

}  // namespace loom::notation
