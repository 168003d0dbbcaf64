#pragma once

#include <cstddef>

#include "app/text/text.h"
#include "core/gpu/result_database.h"

namespace loom::notation {

/// Returns the text for an origin of a time. `texts` has one for each, in the order of gpu::ResultOrigin: for a time
/// that was measured here, one that was recorded elsewhere, and one of an execution on the CPU.
template <std::size_t kTexts>
const text::Text& ofOrigin(const text::Text (&texts)[kTexts], gpu::ResultOrigin origin) {
  static_assert(kTexts == std::size_t(gpu::ResultOrigin::Executed) + 1);
  return texts[std::size_t(origin)];
}

}  // namespace loom::notation
