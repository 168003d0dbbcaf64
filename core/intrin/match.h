// Does a block compute what an intrinsic's description says? Source: TVM 0.22, TensorizeComparator.
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::intrin {

// How the variables and buffers of a description correspond to those of the program. Both maps have an entry for every
// buffer of the description's regions.
struct Match {
  std::unordered_map<const ir::BufferNode*, ir::Buffer> current;  // description's buffer → program's
  // Program's buffer → where the tile begins in it, one index per dimension. The description's dimensions are the last
  // ones; those before them are single elements.
  std::unordered_map<const ir::BufferNode*, std::vector<ir::Expr>> base;
};

// The first thing in program order that differs.
struct Difference {
  // What was compared: "statement", "expression", "loop extent", "loop kind", "iterator types", "buffer scope", "buffer
  // type", "region extent", "index", "predicate"…
  std::string what;
  std::string found;   // in the program, as TVMScript
  std::string wanted;  // in the description, as TVMScript
  ir::Id place;        // the innermost loop or block of the program around it
  // TVM takes a mismatch of the outermost predicate for none and runs into an internal error.
  bool onlyPredicate = false;
};

// Matches `block` and the loops inside it with the body of `description`. The iterators, their values and the name of
// the outermost block don't count; inside it everything has to agree except names and the widths of integers. Returns
// the first difference if they don't match.
tl::expected<Match, Difference> match(const ir::BlockRealize& block, const ir::Function& description);

}  // namespace loom::intrin
