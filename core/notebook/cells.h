// Finds the Python code in a text: in a Jupyter notebook (.ipynb) the code cells, in a page, which is any other text,
// everything but prose and printed output. Internal to core/notebook.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::notebook {

// The code found in a text.
struct Cells {
  // A page's code has as many lines as the page, with an empty line in place of each line that is no code. A notebook's
  // code is its code cells, one after another; if they aren't Python throughout, they are read as a page is.
  std::string code;
  // The numbers, counted from 1, of the lines of the page (of a notebook: of its code cells) that are neither code nor
  // blank, ascending. Empty for a text that is Python throughout.
  std::vector<int> others;
};

// Returns the code in a text; `file` names the text in errors. A text that is Python from end to end is returned as it
// is. Error "ParseError", with its place, for lines that look like code but can't be parsed, and for a text of prose
// alone. An empty text, or a notebook without code cells, has empty code.
Result<Cells> codeOf(std::string_view text, std::string_view file);

}  // namespace loom::notebook
