#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "app/text/text.h"
#include "core/document/pointer.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The things that phrases of a lesson's text point at: of the phrase that the mouse or the keyboard focus is on, and
/// of the phrase that was clicked in this frame. Nothing if there is no such phrase.
struct PhraseClicks {
  std::optional<document::Pointer> hovered, clicked;
};

/// Draws a lesson's Markdown, wrapped to the window: paragraphs, `**strong**`, `*emphasis*`, `` `code` ``, and
/// underlined phrases that point at a part of the window or program (document::Pointer). With `explains`, a word of the
/// glossary (text::termOf) has dots under it where the text first uses it, and a tooltip that says what it means.
/// `explains` is for texts on GPUs; in texts on the window, words such as "box" have other meanings. Returns what the
/// phrases under the mouse point at.
PhraseClicks drawRichText(const window::Look& look, const std::string& markdown, bool explains = false);

/// Returns plain text with line breaks, so that each line is at most `width` px wide in the current font. Lines are
/// broken between words, between Chinese characters where their punctuation allows it, and within a word that fits no
/// line.
std::string wrapped(const std::string& text, float width);
/// Returns the y, in px of the screen, below which lines of text aren't to be drawn, because the lower edge of the
/// current, scrolling panel would cut them. The first line begins at the y `top`, and each is `line` px high. The
/// result is the y at which the last line ends of which at least 85 % lie above the edge. Returns FLT_MAX if the panel
/// doesn't scroll, or `top` is below its edge.
float wholeLinesBelow(float top, float line);
/// Draws plain text, wrapped to `width` px, in the current font and colour. A `width` of 0 stands for the available
/// width. A line that the lower edge of a scrolling panel would cut isn't drawn.
void drawWrapped(const std::string& text, float width = 0);

/// Returns the length, in bytes, of the word at the beginning of `text`, which must not be empty. A word ends before a
/// character of `stops` and before a Chinese character. A Chinese character is a word by itself; with `glossary`, a
/// language, several that are a word of the glossary are one word. Chinese punctuation that must not be separated from
/// a word belongs to it. The word has at least the first character, also if that is one of `stops`.
std::size_t wordLength(std::string_view text, std::string_view stops, std::optional<text::Language> glossary = {});

}  // namespace loom::panels
