#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/code/view/derived.h"
#include "core/document/pointer.h"

namespace loom::workbench {

/// Where a lesson's pointer leads in a state.
struct PointerTarget {
  std::string panel;
  std::string part;         ///< tab, picture, or level; empty: none
  std::vector<ir::Id> ids;  ///< loops, blocks and buffers that it names
  int line = -1;            ///< of the code, from 0
  std::string buffer;       ///< of a statement of Thread binding; empty: whichever is chosen
  bool write = false;       ///< the statement writes it

  friend bool operator==(const PointerTarget&, const PointerTarget&) = default;
};

/// "NoSuchPlace" where the state has no such loop, block, buffer, line or kernel. The pointer is in order
/// (document::pointerProblem).
Result<PointerTarget> placeOf(const document::Pointer& pointer, const Derived& derived);

/// What each line of a script names: loops and blocks in their headers, buffers where they are used.
std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines);
/// What line `line`, from 1, of the CUDA text is about: its innermost loop and its block.
std::vector<ir::Id> idsOfCudaLine(const Derived& derived, int line);

}  // namespace loom::workbench
