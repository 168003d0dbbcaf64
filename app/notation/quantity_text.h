#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Counts and amounts as they are written everywhere, with the three digits that matter.
namespace loom::notation {

/// "1 073 741 824", by thin spaces.
std::string grouped(double value);
/// Grouped from 10 000 on: a number in a sentence.
std::string numberText(std::int64_t value);
/// A sentence of the core with the numbers in it that have five digits or more grouped; names keep theirs.
std::string withGroups(const std::string& sentence);
/// Grouped below 100 000, else "1.07 G".
std::string countText(double value);
/// "4 KiB"; by 1024.
std::string bytesText(double value);
/// "2.15 GFLOP"; by 1000.
std::string flopsText(double value);
/// How often one goes into another, three digits: "1.25", "12.5", "125".
std::string ratioText(double ratio);
/// Numbers in ascending order, consecutive ones together: "0–3, 8".
std::string runsText(const std::vector<int>& numbers);
/// A share in percent with two digits that say something, "37 %", "1.5 %"; below a thousandth none do.
std::string shareText(double share);

}  // namespace loom::notation
