#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/program.h"
#include "core/document/pointer.h"

namespace loom::session {

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

/// Returns where a pointer leads in a program. Error "NoSuchPlace": the program has no such loop, block, buffer, line or
/// kernel. The pointer must be in order (document::pointerProblem).
Result<PointerTarget> placeOf(const document::Pointer& pointer, const Program& program);

}  // namespace loom::session
