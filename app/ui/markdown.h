#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/document/pointer.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The phrases of a text, pointing at something, that the mouse is over or has clicked in this frame; nothing: none.
struct PhraseClicks {
  std::optional<document::Pointer> hovered, clicked;
};

/// Draws a lesson's Markdown, wrapped to the window: paragraphs, `**strong**`, `*emphasis*`, `` `code` `` and phrases
/// that point at something (document::Pointer), underlined.
PhraseClicks drawRichText(const window::Look& look, const std::string& markdown);

/// Returns plain text with line breaks, so that each line is at most `width` pixels wide in the current font. Lines are
/// broken between words, between Chinese characters where their punctuation allows it, and within a word that fits no
/// line.
std::string wrapped(const std::string& text, float width);
/// Draws such text in the current colour. A `width` of 0 stands for the available width.
void drawWrapped(const std::string& text, float width = 0);

/// Returns the length, in bytes, of the word at the beginning of `text`: up to a blank or one of `stops`, or one
/// Chinese character with the punctuation that must stay with it.
std::size_t wordLength(std::string_view text, std::string_view stops);

}  // namespace loom::panels
