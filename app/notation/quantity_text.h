#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Counts and amounts as they are written everywhere, with the three digits that matter.
namespace loom::notation {

/// Returns a whole number, rounded: "4096"; from 10 000 on in groups of three digits with thin spaces between:
/// "1 073 741 824". Every count of the program is written so.
std::string numberText(double value);
/// Returns the same of a number's digits, of which there may be more than a double has.
std::string digitsText(std::string digits);
/// Returns a sentence of the core in which numbers are written by that rule; names stay as they are.
std::string withGroups(const std::string& sentence);
/// Returns a count: each digit below 100 000, else "1.07 G".
std::string countText(double value);
/// Returns the number of a tick on an axis: "0.001", "50", "10 000", "1 M"; never one with an exponent.
std::string axisText(double value);
/// Returns a number of bytes by powers of 1024: "4 KiB".
std::string bytesText(double value);
/// Returns a number of FLOP by powers of 1000: "2.15 GFLOP".
std::string flopsText(double value);
/// Returns a ratio with three digits: "1.25", "12.5", "125".
std::string ratioText(double ratio);
/// Numbers in ascending order, consecutive ones together: "0–3, 8".
std::string runsText(const std::vector<int>& numbers);
/// Returns a share, 0 to 1, in percent with two significant digits: "37 %", "1.5 %"; below a thousandth with fewer.
std::string shareText(double share);

}  // namespace loom::notation
