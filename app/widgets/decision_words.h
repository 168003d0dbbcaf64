#pragma once

#include "app/text/text.h"

/// The words of values that decide whether something is done.
namespace loom::text::decision {

inline constexpr Text kNo{"no", "否"};
inline constexpr Text kYes{"yes", "是"};

}  // namespace loom::text::decision
