// What a lesson's text points at: a phrase that names a panel of the window and, where wanted, something in it.
//
//     [the 32 banks](look:threads/read/X_shared/banks)
//     [the advice](look:performance/advice)
//     [the loop over k](look:loopnest/k_0_0)
//
// Where there is no window the phrase alone is the text.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// A panel, or a part of one, that a lesson's text points at.
struct Pointer {
  std::string panel;   // its id in the window
  std::string target;  // in it; empty: the panel

  friend bool operator==(const Pointer&, const Pointer&) = default;
};

// A pointer as it stands in a text: `[phrase](look:panel/target)`.
struct PointerText {
  Pointer pointer;
  std::string_view phrase;  // may have marks of its own: `code`
  std::size_t length = 0;   // of all, in bytes
};

// Returns the pointer that `text` begins with; nothing if it begins with none.
std::optional<PointerText> pointerAt(std::string_view text);
// Returns the text with each pointer replaced by its phrase.
std::string withoutPointers(std::string_view text);

// What can be named in a panel, after its id.
enum class PanelParts {
  kNothing,
  kName,     // what only a program can tell: part of a line of code without parentheses, a loop, block or buffer
  kPicture,  // grid, block, elements, lanes, fragment, banks or sectors, if wanted after the buffer of a statement:
             // read/X_shared/banks, write/Z/sectors
  kPage      // steps, roofline, occupancy, instructions, stalls, advice, compare or sizes
};

// A panel that lessons can point at, and what its parts are.
struct PointablePanel {
  std::string_view id;
  PanelParts parts = PanelParts::kNothing;
};

// Says which panels can be pointed at. The program that has the panels calls it once at its start, before it reads a
// lesson and before it has threads. Until then, and in a program without a window, every id and every part is taken.
// The ids must live as long as the program.
void setPointablePanels(std::vector<PointablePanel> panels);

// Parses "panel/target", which stands after `look:`. Error "LessonError" if there is no such panel, or if it has no
// such part.
Result<Pointer> parsePointer(std::string_view where);
// Returns each pointable panel, or each of its parts if these have fixed names, in the order of the panels.
std::vector<Pointer> allPlaces();

// Returns the first pointer in a file's text that is invalid: "LessonError" with line and column. Returns nothing if
// all are valid.
std::optional<Error> pointerProblem(std::string_view text);

}  // namespace loom::document
