#include "app/session/shown_program.h"

namespace loom::session {

void ShownProgram::follow(const Session& session) {
  const std::pair<std::uint64_t, int> now{session.opened(), session.navigation().current()};
  const PreviewedStep* preview = session.preview().step();
  const bool waits = preview != nullptr && !preview->program && !preview->refusal && program_ && of_ == now;
  if (!waits) program_ = session.preview().shown();
  of_ = now;
}

}  // namespace loom::session
