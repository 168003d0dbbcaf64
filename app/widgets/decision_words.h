#pragma once

#include "app/text/text.h"

/// The words for the two values of a tuning decision that asks whether something is done: kNo for 0, kYes for
/// any other number (decidedText in decision_text.h).
namespace loom::text::decision {

inline constexpr Text kNo{"no", "否"};
inline constexpr Text kYes{"yes", "是"};

}  // namespace loom::text::decision
