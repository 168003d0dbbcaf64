#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/session/session.h"

namespace loom::session {

/// The program that a panel shows, chosen by one rule for all panels: that of the previewed step (the schedule step
/// that the user is about to apply), or else that of the current state (after the steps applied so far), in which what
/// differs from the other state is marked while two are compared. While the step's program is being made, the current
/// state's program stays if it was shown, so that the panel doesn't flicker. (`ShownModel` does the same for models.)
class ShownProgram {
 public:
  /// Chooses the program for this frame; to be called once a frame. A target must be open.
  void follow(const Session& session);

  /// Returns the program to show. Null before the first call of `follow`, and while the current state's program is
  /// being made (another state's program doesn't stay).
  const std::shared_ptr<const Program>& program() const { return program_; }
  /// Returns the number of the target (Session::opened) and the index of the state that were current in the last
  /// `follow`: those of the program, or, while a step is previewed, of the state that the step is applied to. The state
  /// is −1 before the first call of `follow`.
  std::pair<std::uint64_t, int> of() const { return of_; }

 private:
  std::shared_ptr<const Program> program_;
  std::pair<std::uint64_t, int> of_{0, -1};
};

}  // namespace loom::session
