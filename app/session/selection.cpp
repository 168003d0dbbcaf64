#include "app/session/selection.h"

#include <algorithm>
#include <utility>

namespace loom::session {

bool Selection::has(ir::Id id) const { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }

void Selection::select(std::vector<ir::Id> ids) {
  ids_ = std::move(ids);
  line_ = 0;
  jobs_.touch();
}

void Selection::chooseThread(const Thread& thread) {
  if (thread == thread_) return;
  thread_ = thread;
  jobs_.touch();
}

void Selection::selectCudaLine(int line, std::vector<ir::Id> ids) {
  select(std::move(ids));
  line_ = line;
  lineNode_ = navigation_.current();
}

int Selection::cudaLine() const {
  return documents_.target() != nullptr && lineNode_ == navigation_.current() ? line_ : 0;
}

const model::TimelinePosition* Selection::position() const {
  if (documents_.target() == nullptr || !position_ || positionShows_ != navigation_.shows()) return nullptr;
  return position_->node == navigation_.current() ? &*position_ : nullptr;
}

void Selection::setPosition(model::TimelinePosition position) {
  position_ = std::move(position);
  positionShows_ = navigation_.shows();
}

void Selection::endPosition() {
  if (!comparison_.isOtherSide() || position() != nullptr) position_.reset();
}

}  // namespace loom::session
