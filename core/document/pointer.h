// Pointers in a lesson's text: a phrase that refers to a panel of the window or to something in the panel, which the
// window then highlights.
//
//     [the 32 banks](look:threads/read/X_shared/banks)
//     [the advice](look:performance/advice)
//     [the loop over k](look:loopnest/k_0_0)
//
// Without a window, a pointer is shown as its phrase alone.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// A panel, or a part of one, that a lesson's text points at.
struct Pointer {
  std::string panel;   // the panel's id in the window
  std::string target;  // the part of the panel; empty: the whole panel

  friend bool operator==(const Pointer&, const Pointer&) = default;
};

// A pointer as it stands in a text: `[phrase](look:panel/target)`.
struct PointerText {
  Pointer pointer;
  std::string_view phrase;  // part of the text that `pointerAt` was given; may contain Markdown, such as `code`
  std::size_t length = 0;   // bytes of the whole pointer, brackets included
};

// Returns the pointer that `text` begins with; nothing if it begins with none. Without "/" it points at a whole panel.
std::optional<PointerText> pointerAt(std::string_view text);
// Returns the text with each pointer replaced by its phrase.
std::string withoutPointers(std::string_view text);

// The kinds of parts of a panel that a pointer can name after the panel's id.
enum class PanelParts {
  kNothing,  // the panel has no parts
  kName,     // a name of the program, which isn't checked: that of a loop, a block or a buffer, or a part of a line of
             // code that has no parentheses
  kPicture,  // grid, block, elements, lanes, fragment, banks or sectors; the access may stand before it:
             // read/X_shared/banks, write/Z/sectors
  kPage      // steps, roofline, occupancy, instructions, stalls, advice, compare or sizes
};

// A panel that lessons can point at, and what its parts are.
struct PointablePanel {
  std::string_view id;
  PanelParts parts = PanelParts::kNothing;
};

// Sets the panels that lessons can point at. A program with a window calls this once at its start, before it reads a
// lesson or starts a thread. Before the call, and in a program without a window, every id and every part is accepted.
// The strings of the ids must live as long as the program.
void setPointablePanels(std::vector<PointablePanel> panels);

// Parses the text "panel/target" that follows `look:` in a pointer. Error "LessonError" if there is no such panel, or
// if the panel has no such part.
Result<Pointer> parsePointer(std::string_view where);
// Returns, for each panel that was set, in their order: each of its parts if it has kPicture (without an access before
// them) or kPage, else the panel itself. Empty if none were set.
std::vector<Pointer> allPlaces();

// Returns the error "LessonError", with line and column, of the first invalid pointer in a file's text. Returns nothing
// if all pointers are valid.
std::optional<Error> pointerProblem(std::string_view text);

}  // namespace loom::document
