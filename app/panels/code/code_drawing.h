#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/code/view/code_rows.h"
#include "app/panels/code/view/names.h"
#include "app/text/text.h"
#include "app/ui/look.h"

namespace loom::panels {

/// The language of a text of code; kPython is TVMScript.
enum class CodeKind { kPython, kCuda, kPtx, kSass };

/// How words that name loops, axes and buffers are drawn, in addition to syntax highlighting.
struct WordMarks {
  const session::CodeNames* names = nullptr;  ///< what the words of the text name; null: no word is marked
  const session::LoopNest* nest = nullptr;    ///< the loop nest that `names` refers to; not null where `names` isn't
  std::span<const ir::Id> lit;                ///< ids of the loops and buffers whose words are highlighted
};

/// Draws the head of a column beside code: the text `word` from `at` on (px of the screen), `width` px wide, with the
/// tooltip `what`, which says what the column shows.
void drawColumnHead(const window::Look& look, ImVec2 at, float width, const char* word, const text::Text& what);

/// Draws a text from `at` on (px of the screen), each character in its column (notation::columnsOf), also those that
/// come from a face of other widths. The code font must be the current one.
void drawInColumns(std::string_view text, ImVec2 at, ImU32 ink);

/// Draws one line of code in the `count` rows into which it is wrapped, one below the other; `rows` points to the
/// first, and `count` is at least 1. `at` is the upper left corner (px of the screen), where column 0 of the first row
/// begins, and `height` the height of a row in px. The code font must be the current one.
void drawCodeLine(const window::Look& look, const std::string& line, CodeKind kind, const session::CodeRow* rows,
                  int count, ImVec2 at, float height, const WordMarks& marks);

}  // namespace loom::panels
