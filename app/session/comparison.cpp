#include "app/session/comparison.h"

namespace loom::session {

void Comparison::with(int node) {
  if (node < 0 || node >= int(documents_.history().nodes().size()) || (compared_ && compared_->node == node)) return;
  compared_ = Compared{node, nullptr, nullptr, nullptr, nullptr};
  mark();
  jobs_.touch();
}

void Comparison::end() {
  if (!compared_) return;
  compared_.reset();
  jobs_.touch();
}

int Comparison::node() const {
  if (otherSide_) return documents_.history().current();
  return compared_ ? compared_->node : -1;
}

int Comparison::reference() const { return compared_ ? node() : documents_.history().node(current()).parent; }

std::shared_ptr<const Program> Comparison::shown() {
  auto now = programs_.of(current());
  if (!compared_) return now;
  if (otherSide_) return compared_->against == now && compared_->markedOther ? compared_->markedOther : now;
  return compared_->from == now && compared_->marked ? compared_->marked : now;
}

Comparison::OtherSide::OtherSide(Comparison& comparison) : comparison_(comparison) {
  const auto& compared = comparison.compared_;
  comparison.otherSide_ = comparison.documents_.target() != nullptr && compared &&
                          compared->node != comparison.documents_.history().current();
}

void Comparison::mark() {
  if (!compared_ || documents_.target() == nullptr) return;
  const document::History& history = documents_.history();
  // What was removed, or is no longer there after an edit of the past, can't be told against.
  if (compared_->node >= int(history.nodes().size()) || history.isHidden(compared_->node)) {
    compared_.reset();
    jobs_.touch();
    return;
  }
  const auto other = programs_.of(compared_->node), now = programs_.known(history.current());
  if (!now || !other || (compared_->from == now && compared_->against == other)) return;
  compared_->from = now;
  compared_->against = other;
  compared_->marked = compared_->markedOther = nullptr;
  jobs_[Queue::kPrograms].submitFirst([this, target = jobs_.target(), from = now, against = other] {
    auto made = markedAgainst(from, against, options_.views);
    auto reverse = markedAgainst(against, from, options_.views);
    jobs_.finishFor(target, [this, from, against, made, reverse] {
      if (!compared_ || compared_->from != from || compared_->against != against) return;
      compared_->marked = made;
      compared_->markedOther = reverse;
    });
  });
}

void Comparison::cancel() {
  if (compared_) compared_->from = nullptr;
}

}  // namespace loom::session
