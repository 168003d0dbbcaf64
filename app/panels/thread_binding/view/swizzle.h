#pragma once

#include <optional>

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::session {

/// Returns the swizzle that the shared memory buffer of an access has, or the one that it could have; the member
/// `request` is left empty. Returns nothing for buffers that aren't in shared memory or have a single dimension, for
/// rows that aren't 32, 64 or 128 bytes long, and, unless the buffer is swizzled, for buffers whose rows are padded,
/// whose number of rows isn't a multiple of eight, or that operations address by a pointer and a leading dimension.
std::optional<SwizzledRequest> otherSwizzle(const model::KernelAccesses& kernel, const model::Access& access);

/// Swizzles the byte addresses of a request to a buffer with rows of `span` bytes: the index of each 16-byte piece is
/// XORed with bits of the index of its 128 bytes. Swizzling is its own inverse: swizzled addresses become plain ones.
void swizzle(layout::Request& request, int span);

}  // namespace loom::session
