#pragma once

#include <cstdint>
#include <string>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns a value of a decision of a space as a person reads it: "no" or "yes" where the decision asks whether
/// (tune::Decision::isYesOrNo), else the number.
std::string decidedText(const window::Look& look, bool isYesOrNo, std::int64_t value);

}  // namespace loom::panels
