#include "app/notation/quantity_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

namespace loom::notation {

namespace {

// "1.07 G": three digits that matter.
std::string compact(double value, double thousand, const std::array<const char*, 6>& units) {
  std::size_t unit = 0;
  // What rounding makes a thousand is one of the next unit.
  while (value >= thousand - 0.5 && unit + 1 < units.size()) {
    value /= thousand;
    ++unit;
  }
  std::string digits = significantText(value, 3, unit == 0 ? 0 : 2);
  // "8 MiB", also where it is 4 KiB more: "8.00" beside "8" looks for a difference that nobody means.
  if (const std::size_t point = digits.find('.');
      point != std::string::npos && digits.find_first_not_of('0', point + 1) == std::string::npos)
    digits.resize(point);
  return fmt::format("{} {}", digits, units[unit]);
}

}  // namespace

std::string significantText(double value, int digits, int places) {
  // From each bound on, rounding would write one digit more.
  while (places > 0 && value >= std::pow(10, digits - places) - 0.5 * std::pow(10, -places)) --places;
  return fmt::format("{:.{}f}", value, places);
}

std::string digitsText(std::string digits) {
  constexpr std::size_t kPlain = 4;
  if (digits.size() <= kPlain) return digits;
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), "\u2009");
  return digits;
}

std::string numberText(double value) {
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  return (value < 0 && digits != "0" ? "-" : "") + digitsText(digits);
}

std::string withGroups(const std::string& sentence) {
  // A digit of a name or behind a point is none of a count.
  auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::string text;
  for (std::size_t at = 0; at < sentence.size();) {
    std::size_t end = at;
    while (end < sentence.size() && isDigit(sentence[end])) ++end;
    if (end == at) {
      text += sentence[at++];
      continue;
    }
    const bool named = at > 0 && joins(sentence[at - 1]);
    const bool goes =
        end < sentence.size() && (std::isalpha(static_cast<unsigned char>(sentence[end])) || sentence[end] == '_');
    const std::string digits = sentence.substr(at, end - at);
    text += named || goes || digits.size() > 15 ? digits : numberText(std::stod(digits));
    at = end;
  }
  return text;
}

std::string countText(double value) {
  return std::round(value) < 100000 ? numberText(value) : compact(value, 1000, {"", "k", "M", "G", "T", "P"});
}
std::string axisText(double value) {
  constexpr double kFractionsBelow = 1000, kLeast = 1e-4;  // below this fmt writes an exponent
  if (std::abs(value) >= kFractionsBelow) return countText(value);
  return std::abs(value) < kLeast
             ? fmt::format("{:.{}f}", value, value == 0 ? 0 : int(std::ceil(-std::log10(std::abs(value)) - 1e-9)))
             : fmt::format("{:g}", value);
}
std::string bytesText(double value) { return compact(value, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"}); }
std::string flopsText(double value) {
  return compact(value, 1000, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"});
}

std::string ratioText(double ratio) { return significantText(ratio, 3, 2); }

std::string shareText(double share) {
  const double p = 100 * share;
  if (p < 0.001) return "<0.001 %";
  return significantText(p, 2, 3) + " %";
}

std::string runsText(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end - i > 1) text += "–" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace loom::notation
