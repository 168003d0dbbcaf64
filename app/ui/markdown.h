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

/// What the mouse does to the phrases of a text that point at something.
struct PhraseClicks {
  std::optional<document::Pointer> hovered, clicked;
};

/// Draws a lesson's Markdown, wrapped to the window: paragraphs, `**strong**`, `*emphasis*`, `` `code` `` and phrases
/// that point at something (document::Pointer), underlined.
PhraseClicks drawRichText(const window::Look& look, const std::string& markdown);

/// Plain text in the current face, broken into lines of `width` pixels: between words, between Chinese characters as
/// their punctuation allows, and within a word that no line holds.
std::string wrapped(const std::string& text, float width);
/// Draws it so, in the current colour. 0: what room there is.
void drawWrapped(const std::string& text, float width = 0);

/// The bytes of the word that `text` begins with: up to a blank or one of `stops`, or one Chinese character with the
/// punctuation that must stay with it.
std::size_t wordLength(std::string_view text, std::string_view stops);

}  // namespace loom::panels
