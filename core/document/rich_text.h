// The text of lessons, remarks and help: Markdown (CommonMark, read by md4c) and pointers, as paragraphs of spans.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/document/pointer.h"

namespace loom::document {

// Characters of one face. Line ends of the text are blanks.
struct TextSpan {
  std::string text;
  bool strong = false, emphasis = false, code = false;
  int pointer = -1;  // index in RichText::pointers of the pointer whose phrase this is part of; -1: of none

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// A text in paragraphs, taken apart into spans.
struct RichText {
  std::vector<std::vector<TextSpan>> paragraphs;
  std::vector<Pointer> pointers;  // in the order of their phrases
};

// Returns the paragraphs of `markdown`. Headings, items of lists and other blocks are paragraphs of their own; links
// that are no pointers leave their phrases; HTML is text. Never fails: every text is Markdown.
RichText readMarkdown(std::string_view markdown);

}  // namespace loom::document
