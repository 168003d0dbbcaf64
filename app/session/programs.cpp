#include "app/session/programs.h"

namespace loom::session {

std::shared_ptr<const Program> Programs::of(int node) {
  if (auto program = known(node)) return program;
  make(node);
  return nullptr;
}

std::shared_ptr<const Program> Programs::known(int node) const {
  const auto found = programs_.find(node);
  return found == programs_.end() ? nullptr : found->second;
}

void Programs::make(int node) {
  if (documents_.target() == nullptr || programs_.count(node) != 0 || !asked_.insert(node).second) return;
  auto input = std::make_shared<ProgramInput>(programInput(documents_.history(), node));
  jobs_[Queue::kPrograms].submit([this, input, node, target = jobs_.target(), round = round_] {
    auto made = programOf(*input, options_.views);
    jobs_.finishFor(target, [this, node, made, round] {
      programs_[node] = made;
      fresh_.push_back({node, round != round_});
    });
  });
}

void Programs::want(int node) {
  constexpr std::size_t kMost = 2000;  // states made unasked; of larger histories the others when they are shown
  if (programs_.size() + waiting_.size() < kMost) waiting_.push_back(node);
}

void Programs::wantAll() {
  for (int i = 0; i < int(documents_.history().nodes().size()); ++i) want(i);
}

void Programs::makeSome() {
  constexpr std::size_t kAhead = 16;
  while (!waiting_.empty() && asked_.size() < programs_.size() + kAhead) {
    make(waiting_.front());
    waiting_.pop_front();
  }
}

void Programs::renew() {
  for (const auto& [node, program] : programs_) fresh_.push_back({node, false});
}

void Programs::cancel() {
  jobs_[Queue::kPrograms].drop();
  asked_.clear();
  waiting_.clear();
  for (const auto& [node, program] : programs_) asked_.insert(node);
}

void Programs::reset() {
  if (!documents_.isOpening()) jobs_[Queue::kPrograms].drop();
  jobs_.discard(std::exchange(programs_, {}));
  asked_.clear();
  waiting_.clear();
  fresh_.clear();
}

}  // namespace loom::session
