#pragma once

#include <optional>

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::session {

/// Returns the swizzle that the shared memory buffer of an access has (`isSwizzled` is then true and `step` empty), or
/// else the one that it could have: `step` is then the schedule step that swizzles the buffer, or empty unless a single
/// block of the program writes the buffer. The member `request` is left empty. A swizzle permutes the 16-byte pieces of
/// the rows, against bank conflicts. Returns nothing for buffers that aren't in shared memory or have a single
/// dimension, for rows that aren't 32, 64 or 128 bytes long, and, unless the buffer is swizzled, for buffers whose rows
/// are padded, whose number of rows isn't a multiple of eight, or that operations access as a tile, by a pointer and a
/// leading dimension.
std::optional<SwizzledRequest> otherSwizzle(const model::KernelAccesses& kernel, const model::Access& access);

/// Swizzles the byte addresses of a request to a buffer with rows of `span` bytes, which must be 32, 64 or 128: the
/// index of each 16-byte piece (address / 16) is XORed with the lowest 1, 2 or 3 bits of address / 128. Swizzling is
/// its own inverse: swizzled addresses become plain ones.
void swizzle(layout::Request& request, int span);

}  // namespace loom::session
