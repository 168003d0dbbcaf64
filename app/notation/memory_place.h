#pragma once

#include "app/notation/palette.h"
#include "app/text/text.h"
#include "core/device/memory_level.h"

namespace loom::notation {

/// The colour and the name (a constant) of a level of the memory hierarchy, in the panel Memory Hierarchy and in
/// reports.
struct LevelLook {
  Tone tone;
  const text::Text& name;
};
/// Returns the colour and the name of a level of the memory hierarchy.
LevelLook lookOf(device::MemoryLevel level);

/// Returns how wide to draw the arrow for a number of bytes that move between two levels, in px of an unscaled picture.
/// The width grows with the logarithm of the bytes: 1.5 px up to 4 KiB, then half a px more for each doubling, and
/// 12.5 px from 16 GiB on. It doesn't depend on what else is drawn, so that the arrows of two states can be compared.
double arrowWidth(double bytes);

}  // namespace loom::notation
