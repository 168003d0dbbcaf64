#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/session/session.h"

namespace loom::session {

/// The program that a panel shows, chosen by one rule: that of the previewed step, or else of the current state, marked
/// against the other state while two are compared. While the step's program is being made, the program shown before
/// stays, so that the panel doesn't flicker. (`ShownModel` is its counterpart for panels that show a model.)
class ShownProgram {
 public:
  /// Chooses the program for this frame; to be called once a frame.
  void follow(const Session& session);

  /// Returns the program to show. Null while it is being made.
  const std::shared_ptr<const Program>& program() const { return program_; }
  /// Returns the open target and the state that the program is of; for a preview, the state that it starts from.
  std::pair<std::uint64_t, int> of() const { return of_; }

 private:
  std::shared_ptr<const Program> program_;
  std::pair<std::uint64_t, int> of_{0, -1};
};

}  // namespace loom::session
