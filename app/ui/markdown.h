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
/// `explains` is for texts on GPUs; in texts on the window, words such as "box" have other meanings. A phrase that
/// points is written `[phrase](look:panel/target)`. Returns what the hovered and the clicked phrase point at.
PhraseClicks drawRichText(const window::Look& look, const std::string& markdown, bool explains = false);

/// Returns plain text with further line breaks, so that each line is at most `width` px wide in the current font; the
/// text's own line breaks stay. Lines are broken between words, between Chinese characters where their punctuation
/// allows it, and within a word that fits no line.
std::string wrapped(const std::string& text, float width);
/// Returns the y, in px of the screen, below which lines of text aren't to be drawn, because the lower edge of the
/// current, scrolling panel would cut them. The first line begins at the y `top`, and each is `line` px high. A line
/// counts as cut if less than 85 % of its height lie above the edge; the result is the y at which the last line that
/// isn't cut ends, `top` if there is none. Returns FLT_MAX if the panel doesn't scroll, or `top` is below its edge.
float wholeLinesBelow(float top, float line);
/// Draws plain text, wrapped to `width` px, in the current font and colour. A `width` of 0 stands for the available
/// width. A line that the lower edge of a scrolling panel would cut isn't drawn.
void drawWrapped(const std::string& text, float width = 0);

/// Returns the length, in bytes, of the word at the beginning of `text`, which must not be empty. A word ends before a
/// byte of `stops`, which are ASCII characters, and before a Chinese character. A Chinese character is a word by
/// itself; with `glossary`, a language, several that are a word of the glossary are one word. Chinese opening
/// punctuation belongs to the word after it, and closing punctuation to the word before it. The word has at least the
/// first character, also if that is one of `stops`.
std::size_t wordLength(std::string_view text, std::string_view stops, std::optional<text::Language> glossary = {});

}  // namespace loom::panels
