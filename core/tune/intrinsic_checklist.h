#pragma once

#include <string>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/schedule/state.h"

namespace loom::tune {

/// One thing that a tensor intrinsic wants of a tile, and whether the tile has it.
struct IntrinsicCheck {
  enum class What : std::uint8_t {
    Operands,  ///< how many buffers are read and written
    Types,     ///< their elements
    Extents,   ///< the loops of the tile
    Scopes,    ///< the memory that they are in
  };
  What what = What::Operands;
  bool ok = false;
  std::string found, wanted;  ///< "float16, float16 → float32", "16 × 16 × 16"
};

/// What an intrinsic requires of a tile, in the order of IntrinsicCheck::What. If all are met, the rest of the
/// description decides whether it matches.
struct IntrinsicChecklist {
  std::string intrinsic;
  std::vector<IntrinsicCheck> checks;
  /// Returns whether the tile has the buffers and elements that the intrinsic works on, so that steps could lead to it.
  bool couldFit() const { return checks.size() == 4 && checks[0].ok && checks[1].ok; }
};

/// Returns the checklists of all intrinsics of the library for a tile, which is a loop or a block, those that lack
/// least first; ones that lack as much are in the order of their names. Empty if the tile isn't around a single block.
std::vector<IntrinsicChecklist> intrinsicChecklists(const schedule::State& state, ir::Id tile,
                                                    const intrin::Library& library);

}  // namespace loom::tune
