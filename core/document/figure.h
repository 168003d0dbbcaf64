// A figure in a lesson's text that is filled in from what is known of a state, so that it can't grow stale:
//
//     {{predicted}}          of the chapter's own last state
//     {{predicted store}}    of the chapter "store"
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/result.h"

namespace loom::document {

// Returns the names of figures:
//    predicted        the model's time
//    measured         the time on a device, with where it comes from
//    blocks           of the grid
//    multiprocessors  of the device that the model speaks of
//    idle             of them, those that have no block
//    shared           memory of a block
//    ways             of the worst bank conflict, as written
//    conflicts        passes over shared memory of a block that only wait for their turn, as written
//    memory_clocks    of the pipe of memory instructions, on the busiest multiprocessor
//    tensor_clocks    of the tensor pipe, there
//    l2               bytes that all requests ask of L2, as written
//    published        the time that the lesson says others have published of the chapter; always with its id
std::span<const std::string_view> figureNames();

// A reference in a text to a figure, `{{name}}` or `{{name chapter}}`.
struct Figure {
  std::string name;
  std::string chapter;     // its id; empty: the one that the text is of
  std::size_t length = 0;  // of `{{…}}`, in bytes
};
// Returns the figure that `text` begins with; nothing if it begins with none.
std::optional<Figure> figureAt(std::string_view text);
// Returns the text with each figure replaced by what `value` returns for it.
std::string withFigures(std::string_view text, const std::function<std::string(const Figure&)>& value);
// Returns the first figure in a file's text that has an unknown name, or is of a chapter that isn't among `chapters`,
// or is `published` of a chapter without a published time: "LessonError" with its line. Returns nothing if all are
// right.
std::optional<Error> figureProblem(std::string_view text, const std::set<std::string>& chapters,
                                   const std::map<std::string, double>& published = {});

}  // namespace loom::document
