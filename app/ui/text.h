#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>

#include "app/notation/quantity_text.h"
#include "app/ui/look.h"

/// The kinds of text that panels are made of.
namespace loom::panels {

/// How a value stands in a phrase: whole numbers in groups of three digits where they are long.
template <typename Value>
decltype(auto) formattedForPhrase(const Value& value) {
  if constexpr (std::is_integral_v<Value> && sizeof(Value) > 1) {
    return notation::numberText(std::int64_t(value));
  } else {
    return (value);
  }
}

/// A phrase in the current language with its values.
template <typename... Values>
std::string say(const window::Look& look, const text::Text& phrase, const Values&... values) {
  return fmt::format(fmt::runtime(look.say(phrase)), formattedForPhrase(values)...);
}

/// "0–7, 16–23"; of more runs than four the first two and the last.
std::string runsText(const std::set<int>& numbers);

/// How a figure was obtained, as the core says it, in the current language.
std::string provenanceText(const window::Look& look, const Message& how);

/// What a row of the instruction table, or one of its parameters, says of itself; English where there is no Chinese.
template <typename Row>
const char* helpOf(const window::Look& look, const Row& row) {
  // The table's texts are literals, so they end in a zero.
  return look.language == text::Language::kChinese && !row.zh.empty() ? row.zh.data() : row.en.data();
}

/// Returns the width of a character of the current font, in px. Exact for the code face, all of whose characters are
/// alike; Dear ImGui rounds the width of a text up.
float characterWidth();

/// A line that heads a part of a panel, wrapped.
void drawHeading(const window::Look& look, const std::string& text);

/// What stands second: smaller and greyer, wrapped.
void drawSecond(const window::Look& look, const std::string& text);

/// Text that stays up while the item before it is hovered; none where it's empty.
void drawWrappedTip(const window::Look& look, const std::string& text);

/// A line at the right end of the room that is left, as figures stand in a table's cell.
void drawRight(const std::string& text);

/// The next cell of a table with a figure in it: in the code face, to the right.
void drawFigureCell(const window::Look& look, const std::string& text);

}  // namespace loom::panels
