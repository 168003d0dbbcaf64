#pragma once

#include <string>

/// Counts and amounts as they are written everywhere, with the three digits that matter.
namespace loom::notation {

/// "1 073 741 824", by thin spaces.
std::string grouped(double value);
/// Grouped below 100 000, else "1.07 G".
std::string countText(double value);
/// "4 KiB"; by 1024.
std::string bytesText(double value);
/// "2.15 GFLOP"; by 1000.
std::string flopsText(double value);

}  // namespace loom::notation
