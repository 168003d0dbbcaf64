#pragma once

#include "app/text/text.h"

namespace loom::text {

/// A name and what is said of it: with the colon of each language.
inline constexpr Text kNamed{"{}: {}", "{}：{}"};

}  // namespace loom::text
