// Functions that come with the program and that users can open as a start: files `NAME.py` in the folder `functions` of
// the assets, and a row for each in functions.json of that folder:
//
//     [{"name": "gemv", "title": {"en", "zh"}, "sizes": {"M": {"en", "zh"}, …}}, …]
//
// NAME.py is TVMScript. The sizes that users can choose are the whole numbers that are assigned to names of capital
// letters on lines of their own, such as `M = 4096`.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/document/lesson.h"
#include "core/document/target.h"

namespace loom::document {

// The name of a size → its value.
using FunctionSizes = std::map<std::string, std::int64_t>;

// A function to begin with, from assets/functions, whose sizes can be chosen.
struct ReadyFunction {
  struct Size {
    std::string name;        // "M"
    std::int64_t value = 0;  // the default value, in the unit that `what` says
    Translated what;         // "rows of the matrix"
  };
  std::string name;  // "gemv"
  Translated title;
  std::vector<Size> sizes;  // in the order of the file
  std::string text;         // TVMScript with the default sizes
  std::string file;         // for messages
};

// Reads all functions, in the order of functions.json. Errors: "NoSuchFile", "CantRead" or "TooLarge" for a file that
// can't be read; "ParseError" for functions.json if it is no JSON; "FunctionError" for a row or a file that isn't in
// the form at the beginning of this header.
Result<std::vector<ReadyFunction>> readyFunctions(const std::filesystem::path& assets);

// Returns the function's text with these sizes in place of the default ones; a size that isn't among them keeps its
// default. Errors "ValueError": a size that the function doesn't have, or one below 0 or beyond 2^31-1.
Result<std::string> textOf(const ReadyFunction& function, const FunctionSizes& sizes);

// Opens the function with these sizes as a target, a program with a history of schedule steps. Errors: those of
// `textOf`, and "ValueError" for sizes that leave a buffer without elements or give it more than 2^31-1, which is what
// kernels can index.
Result<Target> openReady(const ReadyFunction& function, const FunctionSizes& sizes,
                         const schedule::Environment& environment);

// Opens what a word like "gemv" or "gemv:M=512,K=100" names. Returns nothing, so that the caller can take the word for
// a file, unless its part before ":", or all of it without one, is the name of a function that has its NAME.py and its
// row. Errors: those of `readyFunctions`, only if there is such a NAME.py; those of `openReady`; and "ValueError" for a
// size without "=" or that is no number.
std::optional<Result<Target>> openReadyWord(const std::string& word, const std::filesystem::path& assets,
                                            const schedule::Environment& environment);

}  // namespace loom::document
