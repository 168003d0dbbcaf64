#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Counts and amounts as they are written everywhere: counts with all digits, amounts rounded, mostly to three digits.
/// Values must be finite, and may be negative in `numberText` and `axisText` only.
namespace loom::notation {

/// Returns a whole number, rounded: "4096"; from 10 000 on in groups of three digits with thin spaces between:
/// "1 073 741 824". Every count of the program is written so.
std::string numberText(double value);
/// Returns a number that isn't negative, rounded to as many places behind the point as `digits` digits leave, the 0
/// before the point not counted, but to at most `places`. Digits before the point are all written: with 3 and 2 "0.05",
/// "1.25", "12.5", "125", "1250"; 9.996 is "10.0".
std::string significantText(double value, int digits, int places);
/// Returns the digits of a whole number, given without a sign, grouped as by `numberText`. For numbers with more digits
/// than a double holds.
std::string digitsText(std::string digits);
/// Returns a sentence with its whole numbers written as `numberText` writes them, without leading zeros. Digits that
/// belong to a name ("float16") or follow a point, and numbers of more than 15 digits, stay as they are.
std::string withGroups(const std::string& sentence);
/// Returns a count, rounded: as `numberText` below 100 000, or else at most three digits and a prefix of a power of
/// 1000: "1.07 G".
std::string countText(double value);
/// Returns the number beside a tick of an axis, never with an exponent: from 1000 on as `countText` ("10 000", "1 M"),
/// below with up to six significant digits ("0.001", "50"), and below 0.0001 with one.
std::string axisText(double value);
/// Returns a number of bytes with at most three digits (four from 1000 to 1023) and a unit of a power of 1024: "4 KiB",
/// "1.5 MiB".
std::string bytesText(double value);
/// Returns a number of FLOP (floating-point operations) with at most three digits and a unit of a power of 1000: "2.15
/// GFLOP".
std::string flopsText(double value);
/// Returns a ratio, rounded, with two places below 10, one below 100, and none from there on: "0.05", "1.25", "12.5",
/// "125".
std::string ratioText(double ratio);
/// Returns the text of a list of numbers, which must ascend, with consecutive ones as a range: "0–3, 8". An empty list
/// gives an empty text.
std::string runsText(const std::vector<int>& numbers);
/// Returns a share (0 to 1) in percent: whole percents from 10 % on, below that with two digits, and below 0.1 % with
/// three places: "37 %", "1.5 %", "0.50 %", "0.004 %"; "<0.001 %" for anything less, 0 included.
std::string shareText(double share);

}  // namespace loom::notation
