#pragma once

#include <string>

namespace loom::model {

/// Returns a time, given in µs and not negative, for a sentence: "16.1 µs" below a millisecond, "3.4 ms" below a
/// second, "829.8 s" from there on.
std::string durationText(double microseconds);

}  // namespace loom::model
