// The code of a text: of a notebook its code cells, of a page what isn't prose or printed output. Private to the room.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"

namespace loom::notebook {

// The code in a text that may have other things around it.
struct Cells {
  std::string code;  // as many lines as the text has, those that are no code empty; of an .ipynb its cells' lines
  std::vector<int> others;  // the lines that are no code, without blank ones
};

// Returns the code in a text. A text that is Python from end to end is returned as it is. Errors "ParseError": at the
// place where what looks like code is none, and for a text without any code.
Result<Cells> codeOf(std::string_view text, std::string_view file);

}  // namespace loom::notebook
