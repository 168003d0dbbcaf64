#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/panels/code/view/code_rows.h"
#include "app/panels/code/view/names.h"
#include "app/text/text.h"
#include "app/ui/look.h"

namespace loom::panels {

enum class CodeKind { kPython, kCuda, kPtx, kSass };

/// How the words of one line are drawn, in addition to syntax highlighting.
struct WordMarks {
  const session::CodeNames* names = nullptr;  ///< what the words name; null: no word is marked
  const session::LoopNest* nest = nullptr;    ///< whose loops they name
  std::span<const ir::Id> lit;                ///< loops and buffers whose words stand out
};

/// Draws the head of a column beside code, `width` px wide, with a tooltip that says what the column shows.
void drawColumnHead(const window::Look& look, ImVec2 at, float width, const char* word, const text::Text& what);

/// Draws the rows of one line one below the other from `at` on, `height` px each: column 0 of a row begins at `at.x`.
void drawCodeLine(const window::Look& look, const std::string& line, CodeKind kind, const session::CodeRow* rows,
                  int count, ImVec2 at, float height, const WordMarks& marks);

}  // namespace loom::panels
