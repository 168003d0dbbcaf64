// Decides whether a block of a program computes what the description of a tensor intrinsic says. Source: TVM 0.22,
// TensorizeComparator.
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::intrin {

// How the buffers of a description correspond to those of the program. Both maps have an entry for every buffer of the
// description's regions; `base` is keyed by its counterpart. The keys are valid as long as the program and the
// description.
struct Match {
  std::unordered_map<const ir::BufferNode*, ir::Buffer> current;  // description's buffer → the program's
  // The program's buffer → the index in each of its dimensions at which the tile begins. The description's dimensions
  // correspond to the last ones; in the dimensions before them the tile is a single element.
  std::unordered_map<const ir::BufferNode*, std::vector<ir::Expr>> base;
};

// The first difference between a block and a description: that of the outermost blocks' predicates, or else the first
// in program order.
struct Difference {
  // What was compared: "statement", "expression", "loop extent", "loop kind", "iterator types", "buffer scope", "buffer
  // type", "region extent", "index", "predicate"…
  std::string what;
  // What the program has and what the description has: expressions as TVMScript, other things in words or as a number
  // ("a loop", "3 statements"); both may be empty.
  std::string found;
  std::string wanted;
  ir::Id place;  // the innermost loop or block of the program around the difference
  // Whether the predicate of the outermost block differs; nothing else is compared then. TVM doesn't report such a
  // mismatch and then fails with an internal error.
  bool onlyPredicate = false;
};

// Matches `block`, and the loops inside it, with the body of `description`, a single block. The iterators, their
// values, the name and the allocations of the outermost block may differ; inside it everything must agree except names,
// the widths of the types of expressions (not of buffers' elements) and what isn't compared: inits, and annotations of
// blocks. Returns the first difference if they don't match.
tl::expected<Match, Difference> match(const ir::BlockRealize& block, const ir::Function& description);

}  // namespace loom::intrin
