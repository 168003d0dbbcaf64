#include "app/session/option_times.h"

#include "app/session/predicted_time.h"
#include "app/session/session.h"
#include "core/schedule/instruction.h"
#include "core/script/step_line.h"

namespace loom::session {

namespace {

std::optional<schedule::State> stateAfter(schedule::State state, std::uint32_t uid, const std::string& lines,
                                          const schedule::Environment& environment) {
  const auto calls = script::parseSchedule(lines, "");
  if (!calls) return std::nullopt;
  for (const script::StepCall& call : *calls) {
    auto next = schedule::apply(state, uid++, call, environment);
    if (!next) return std::nullopt;
    state = std::move(next->next);
  }
  return state;
}

}  // namespace

std::optional<double> OptionTimes::of(const Session& session, const std::string& lines) {
  constexpr std::size_t kMostStates = 16;
  const document::Node& node = session.navigation().node();
  const std::string device = modelledDevice(session.modelDevice().status());
  const std::string figures = device + "#" + std::to_string(session.modelDevice().cache()->version());
  if (state_ != node.script || device_ != figures) {
    stop();
    state_ = node.script;
  }
  {
    std::lock_guard lock(known_->mutex);
    if (known_->options.size() > kMostStates || device_ != figures) known_->options.clear();
    device_ = figures;
    auto& here = known_->options[state_];
    if (auto found = here.find(lines); found != here.end()) return found->second.time;
  }
  if (!session.modelDevice().status().known || !asked_.insert(lines).second) return std::nullopt;
  if (!queue_) queue_ = std::make_unique<JobQueue>();
  queue_->submit([known = known_, round = known_->round.load(), described = session.modelDevice().cache(), of = state_,
                  lines, device, state = node.state, uid = session.navigation().history().nextUid(),
                  environment = session.documents().environment(), sizes = session.navigation().history().sizes(),
                  wake = session.options().wake] {
    if (known->round != round) return;
    Known::Option option;
    const auto figures = described->of(device);
    const auto next = *figures ? stateAfter(state, uid, lines, environment) : std::nullopt;
    if (next && known->round == round) {
      const document::KernelText text = document::makeKernel(*next, {}, 0, sizes);
      option.noKernel = text.problem;
      option.time = predictedTime(text, **figures);
    }
    {
      std::lock_guard lock(known->mutex);
      if (known->round != round) return;  // of another device, maybe
      known->options[of][lines] = std::move(option);
    }
    if (wake) wake();
  });
  return std::nullopt;
}

std::optional<Error> OptionTimes::noKernel(const std::string& lines) const {
  std::lock_guard lock(known_->mutex);
  const auto here = known_->options.find(state_);
  if (here == known_->options.end()) return std::nullopt;
  const auto found = here->second.find(lines);
  return found == here->second.end() ? std::nullopt : found->second.noKernel;
}

void OptionTimes::stop() {
  ++known_->round;
  asked_.clear();
  if (queue_) queue_->drop();
}

}  // namespace loom::session
