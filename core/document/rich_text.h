// The formatted text of lessons, remarks and help: Markdown (CommonMark) with pointers to panels of the window,
// `[phrase](look:panel/target)`, as paragraphs of spans.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/document/pointer.h"

namespace loom::document {

// A piece of text in one style. Line ends of the Markdown text are blanks in it.
struct TextSpan {
  std::string text;
  bool strong = false, emphasis = false, code = false;
  int pointer = -1;  // index in RichText::pointers of the pointer whose phrase the span is part of; -1: there is none

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// A text as paragraphs, each of which is a list of spans.
struct RichText {
  std::vector<std::vector<TextSpan>> paragraphs;
  std::vector<Pointer> pointers;  // in the order of their phrases
};

// Parses Markdown. Headings, items of lists and other blocks become paragraphs of their own; of links that are no
// pointers only the phrase is kept; HTML is taken as text. Every text is valid Markdown, so that there are no errors.
RichText readMarkdown(std::string_view markdown);

}  // namespace loom::document
