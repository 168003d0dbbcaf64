#pragma once

#include <string>
#include <vector>

#include "core/intrin/intrinsic.h"
#include "core/schedule/state.h"

namespace loom::tune {

/// A requirement of a tensor intrinsic on a tile, and whether the tile meets it. A tile is a loop or block of a program
/// with all that is in it, which one call of the intrinsic could replace.
struct IntrinsicCheck {
  enum class What : std::uint8_t {
    Operands,  ///< how many buffers are read and written
    Types,     ///< the element types of these buffers
    Extents,   ///< the extents of the tile's loops
    Scopes,    ///< the kinds of memory that the buffers are in
  };

  What what = What::Operands;
  bool ok = false;            ///< whether the requirement is met
  std::string found, wanted;  ///< what the tile has and what is required: "float16, float16 → float32", "16 × 16 × 16"
};
/// The requirements of an intrinsic on a tile. If all are met, the rest of the intrinsic's description decides whether
/// the tile matches.
struct IntrinsicChecklist {
  std::string intrinsic;               ///< name of the intrinsic
  std::vector<IntrinsicCheck> checks;  ///< one for each IntrinsicCheck::What, in that order, or none at all
  /// Returns whether the number and the types of the tile's buffers are those of the intrinsic, so that further steps
  /// could make the tile match.
  bool couldFit() const { return checks.size() == 4 && checks[0].ok && checks[1].ok; }
};

/// Returns the checklists of all intrinsics of the library for a tile of a state (a program after some scheduling
/// steps). Intrinsics whose requirements are met best come first: an unmet one counts 8 for Operands, 4 for Types, and
/// 1 for Extents or Scopes; among equal ones the order is that of the library's names. Intrinsics whose description
/// isn't one block in loops have no checks and come last. Empty if the tile isn't in the state or isn't one block in
/// loops.
std::vector<IntrinsicChecklist> intrinsicChecklists(const schedule::State& state, ir::Id tile,
                                                    const intrin::Library& library);

}  // namespace loom::tune
