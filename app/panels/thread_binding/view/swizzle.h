#pragma once

#include <optional>

#include "app/panels/thread_binding/view/accesses.h"

namespace loom::session {

/// Returns the swizzle that the buffer of an access in shared memory has, or the one that it could have, without a
/// picture of the request. Nothing for buffers whose rows are padded, aren't 32, 64 or 128 bytes long or aren't a
/// multiple of eight, and for those that operations reach by pointer and leading dimension.
std::optional<SwizzledRequest> otherSwizzle(const model::KernelAccesses& kernel, const model::Access& access);

/// Swizzles the addresses of a request to such a buffer, which is its own inverse: what is swizzled becomes plain.
void swizzle(layout::Request& request, int span);

}  // namespace loom::session
