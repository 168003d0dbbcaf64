#pragma once

#include "app/text/text.h"

namespace loom::text {

/// A name and a text about it, joined by the colon of the language: "name: text".
inline constexpr Text kNamed{"{}: {}", "{}：{}"};

}  // namespace loom::text
