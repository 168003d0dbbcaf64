#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/notation/quantity_text.h"
#include "app/text/singular.h"
#include "app/ui/look.h"

/// Functions for the texts and headings of all panels. A tooltip belongs to the item that was drawn last.
namespace loom::panels {

/// Returns a value as it is written in a phrase: a whole number as text with its digits in groups of three, anything
/// else as it is.
template <typename Value>
decltype(auto) formattedForPhrase(const Value& value) {
  if constexpr (std::is_integral_v<Value> && sizeof(Value) > 1) {
    return notation::numberText(value);
  } else {
    return (value);
  }
}

/// Returns a phrase in the current language with values in place of its `{}`; too few values throw fmt::format_error.
/// In English a noun after 1 is singular.
template <typename... Values>
std::string say(const window::Look& look, const text::Text& phrase, const Values&... values) {
  std::string said = fmt::format(fmt::runtime(look.say(phrase)), formattedForPhrase(values)...);
  return look.language == text::Language::kEnglish ? text::inSingular(std::move(said)) : said;
}

/// Returns numbers as ranges: "0–7, 16–23"; "–" for no numbers. If there are more than four ranges, only the first two
/// and the last are named.
std::string runsText(const std::set<int>& numbers);

/// Returns how a figure was obtained, in the current language, with digits in groups of three.
std::string provenanceText(const window::Look& look, const Message& how);

/// Returns a message in the current language as a sentence of its own, with digits in groups of three.
std::string sentenceText(const window::Look& look, const Message& message);

/// Returns the help of a row of the instruction table or of one of its parameters, which has the texts `en` and `zh`,
/// literals as string views: in English if there is no Chinese.
template <typename Row>
const char* helpOf(const window::Look& look, const Row& row) {
  // The table's texts are literals, so they end in a zero.
  return look.language == text::Language::kChinese && !row.zh.empty() ? row.zh.data() : row.en.data();
}

/// Returns the width in px of a character of the current font, which is exact for the code face, all of whose
/// characters are alike; Dear ImGui rounds the width of a text up.
float characterWidth();

/// Draws the heading of a part of a panel, wrapped.
void drawHeading(const window::Look& look, const std::string& text);

/// Draws secondary text: smaller and greyer, wrapped.
void drawSecond(const window::Look& look, const std::string& text);

/// Draws introductory text above the main content of a panel: as secondary text, wrapped; or, in a panel less than 320
/// design px high, as one line, whose end is cut with "…" if it doesn't fit. `tip` is the tooltip; if the line is cut,
/// the whole text stands before it. Without either there is no tooltip.
void drawPreface(const window::Look& look, const std::string& text, const std::string& tip = "");

/// Shows a tooltip of whole sentences or lines of figures: wrapped, and in the face of text, whatever face the item
/// has. Shows nothing if `text` is empty.
void showTip(const window::Look& look, const std::string& text);

/// Shows the tooltip of `showTip` after the mouse has rested on the item drawn last, even if the item is disabled.
void setItemTip(const window::Look& look, const std::string& text);

/// Shows the tooltip of `showTip` as soon as the mouse is over the item drawn last.
void drawWrappedTip(const window::Look& look, const std::string& text);

/// Returns a name and a value or description, separated by the colon of the current language: "threads: 256".
std::string named(const window::Look& look, std::string_view name, std::string_view what);

/// Draws one line of text, aligned to the right end of the available width.
void drawRight(const std::string& text);

/// Draws a figure in the next cell of a table: in the code font, aligned to the right.
void drawFigureCell(const window::Look& look, const std::string& text);

}  // namespace loom::panels
