#include "app/widgets/schedule_preview.h"

#include <utility>

#include "app/session/session.h"

namespace loom::panels {

void SchedulePreview::follow(PanelContext& context) {
  session::Preview& preview = context.session->preview();
  std::string hovered = std::exchange(hovered_, {});
  if (hovered == shown_) return;
  const bool isOurs = preview.step() != nullptr && preview.step()->lines == shown_;
  shown_ = std::move(hovered);
  if (shown_.empty()) {
    if (isOurs) preview.end();
    return;
  }
  tune::CandidateStep step;
  step.lines = shown_;
  step.at = 0;
  // The whole path from the start stands in place of the steps to the current state.
  step.edited = context.session->navigation().current();
  const std::size_t last = shown_.find_last_not_of('\n');
  const std::size_t begin = shown_.rfind('\n', last);
  step.step = shown_.substr(begin == std::string::npos ? 0 : begin + 1, last - begin);
  preview.show(step);
}

void SchedulePreview::branch(PanelContext& context, const std::string& lines, const std::string& name,
                             const Message& title) {
  session::Session& session = *context.session;
  hovered_.clear();
  shown_.clear();
  session::Proposal proposal;
  proposal.step.at = 0;
  proposal.step.edited = session.navigation().current();
  proposal.step.lines = lines;
  proposal.titles.title = title;
  const session::ApplyOutcome applied = session.edits().apply(proposal);
  if (!applied.refusal && applied.node != 0 && session.navigation().history().node(applied.node).name.empty())
    session.edits().rename(applied.node, name);
}

}  // namespace loom::panels
