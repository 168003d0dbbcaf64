#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/session/session.h"

namespace loom::session {

/// The program that a panel shows, chosen by one rule for all panels: that of the previewed step (the schedule step
/// that the user is about to apply), or else that of the current state (after the steps applied so far), marked against
/// the other state while two are compared. While the step's program is being made, the program shown before stays, so
/// that the panel doesn't flicker. (`ShownModel` does the same for models.)
class ShownProgram {
 public:
  /// Chooses the program for this frame; to be called once a frame. A target must be open.
  void follow(const Session& session);

  /// Returns the program to show. Null while it is being made, and before the first call of `follow`.
  const std::shared_ptr<const Program>& program() const { return program_; }
  /// Returns the number of the target (Session::opened) and the index of the state that the program belongs to; for a
  /// preview, of the state that is current meanwhile. The state is −1 before the first call of `follow`.
  std::pair<std::uint64_t, int> of() const { return of_; }

 private:
  std::shared_ptr<const Program> program_;
  std::pair<std::uint64_t, int> of_{0, -1};
};

}  // namespace loom::session
