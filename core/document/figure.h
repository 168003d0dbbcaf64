// A figure is a placeholder in a lesson's text that is replaced by a number that the program computes or looks up for
// a state (the program after some schedule steps), so that texts don't become outdated:
//
//     {{predicted}}          for the last state of the chapter that the text belongs to
//     {{predicted store}}    for the last state of the chapter with the id "store"
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

// Returns the names of figures, a static table. "As written" means: counted in the program, not in its machine code.
//    predicted        the time that the cost model predicts
//    measured         the time measured on a device, with its origin
//    blocks           number of blocks of the grid
//    multiprocessors  number of multiprocessors of the device that the cost model predicts for
//    idle             number of multiprocessors that have no block
//    shared           shared memory of a block
//    ways             ways of the worst bank conflict, as written
//    conflicts        wavefronts of shared memory that bank conflicts add, per block, as written
//    fit              number of blocks that fit on a multiprocessor at once
//    memory_clocks    clocks of the pipe of memory instructions on the busiest multiprocessor
//    tensor_clocks    clocks of the tensor pipe on the busiest multiprocessor
//    memory_alone     the time that memory instructions (LSU) alone would take, as Advice and Compare show it;
//                     in the same way issue_alone, barrier_alone, tensor_alone, l2_alone, and fp32_alone of CUDA cores
//    products         where warps have roles: the share of the time without the launch, in percent, that products would
//                     take at the full rate of tensor cores
//    l2               bytes that all requests ask of L2, as written
//    published        a time that other people have published; `{{published ID}}` needs its id in Lesson::published
std::span<const std::string_view> figureNames();

// A reference in a text to a figure, `{{name}}` or `{{name chapter}}`.
struct Figure {
  std::string name;
  std::string chapter;     // id of the chapter, or of the published time; empty: the chapter that the text belongs to
  std::size_t length = 0;  // bytes of the whole reference, braces included
};
// Returns the figure that `text` begins with; nothing if it begins with none that ends on the same line. The name and
// the chapter aren't checked.
std::optional<Figure> figureAt(std::string_view text);
// Returns the text with each figure, of whatever name, replaced by what `value` returns for it, unit included; braces
// that begin no figure stay.
std::string withFigures(std::string_view text, const std::function<std::string(const Figure&)>& value);
// Returns the error "LessonError", with line and column but no file name, of the first figure in a file's text that
// doesn't end on its line, has an unknown name, or names a chapter that isn't among `chapters` (their ids). The id in a
// figure {{published ID}} must be a key of the parameter `published` (id → time in µs) instead. Returns nothing if all
// figures are valid.
std::optional<Error> figureProblem(std::string_view text, const std::set<std::string>& chapters,
                                   const std::map<std::string, double>& published = {});

}  // namespace loom::document
