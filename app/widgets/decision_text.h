#pragma once

#include <cstdint>
#include <string>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the value of a tuning decision, a choice that a search makes (a tile size, …), as text: "no" (0) or "yes" if
/// the decision asks whether something is done (tune::Decision::isYesOrNo), in the language of `look`; else the number.
std::string decidedText(const window::Look& look, bool isYesOrNo, std::int64_t value);

}  // namespace loom::panels
