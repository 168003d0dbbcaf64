// A fold groups several states of a history (programs after some schedule steps) that were made at once, for instance
// by a rule of a search, under one title.
#pragma once
#include <vector>

#include "core/ir/message.h"

namespace loom::document {

// A fold. The states refer to it by its index in the history (Node::fold). A fold may be part of another one.
struct Fold {
  Message title;   // says what the steps do together
  int outer = -1;  // index of the fold that this one is part of, which is less than its own index; -1: there is none
};

// The titles of the fold, and of folds within it, for step lines that are applied at once.
struct FoldTitles {
  // A part of the lines, which begins after the last line of the previous part.
  struct Part {
    Message title;  // the title of the part's fold; empty: the part gets none
    int lines = 0;  // number of lines, including accessor lines (which only look up loops and blocks)
  };
  Message title;            // the title of the fold of all lines; empty: there is no fold of all lines
  std::vector<Part> parts;  // in order, from the first line on; empty: there are no folds within the fold
};

}  // namespace loom::document
