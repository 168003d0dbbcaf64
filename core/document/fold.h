// Folds of a history: several states that were made at once, by a rule, a construction or a fix, under one title.
#pragma once
#include <vector>

#include "core/ir/message.h"

namespace loom::document {

// A title that states stand under (Node::fold). Folds may be parts of others.
struct Fold {
  Message title;   // what the steps do together
  int outer = -1;  // index of the fold that this one is part of, below its own; -1: it is part of none
};

// Titles for step lines that are applied at once (History::foldSteps).
struct FoldTitles {
  // Some of the lines: those that follow the part before.
  struct Part {
    Message title;
    int lines = 0;  // accessor lines included
  };
  Message title;            // of all lines; empty: they get no fold
  std::vector<Part> parts;  // from the first line on; empty: the fold has no folds within
};

}  // namespace loom::document
