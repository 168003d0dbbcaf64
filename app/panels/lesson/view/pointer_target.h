#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/program.h"
#include "core/document/pointer.h"

namespace loom::session {

/// What a pointer (document::Pointer), a phrase of a lesson's text that leads to a thing in a panel, refers to in a
/// program.
struct PointerTarget {
  std::string panel;        ///< id of the panel
  std::string part;         ///< tab, picture, memory level or name of a buffer in the panel; empty: none
  std::vector<ir::Id> ids;  ///< loops, blocks and buffers that the pointer names; may be empty
  int line = -1;            ///< line of the text that the panel, TVMScript or CUDA, shows, from 0; -1: none
  /// For the panel Thread binding, which shows one statement, a read or write of a buffer: the name of that buffer.
  /// Empty: the panel keeps its statement if that has the picture `part`, or else shows another one that has it.
  std::string buffer;
  bool write = false;  ///< with a `buffer`: whether the statement writes it; else it reads it

  friend bool operator==(const PointerTarget&, const PointerTarget&) = default;
};

/// Returns where a pointer leads in a program. Error "NoSuchPlace": the program has no such loop, block, buffer, line
/// or kernel. The pointer must name a panel, and something that the panel can show (document::pointerProblem).
Result<PointerTarget> placeOf(const document::Pointer& pointer, const Program& program);

}  // namespace loom::session
