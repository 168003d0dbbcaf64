#include "app/session/rule_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/search_run.h"

namespace loom::session {

void RuleSteps::follow(Session& session, const std::function<void()>& wake) {
  if (auto own = ownRead_.take()) own_ = std::make_shared<const tune::OwnRules>(std::move(*own));
  if (!readsOwn_) {
    readsOwn_ = true;
    ownRead_.ask([folders = tune::ownRuleFolders(session.options().assets)] { return tune::readOwnRules(folders); },
                 wake);
  }
  if (auto answer = asked_.take(); answer && answer->of.opened == session.opened()) {
    answered_ = std::move(answer->of);
    problem_ = std::move(answer->problem);
    rules_ = std::move(answer->rules);
  }
  const DeviceStatus& device = session.modelDevice().status();
  if (session.documents().target() == nullptr || !device.known || !own_) return;
  if (askedFor_ && askedFor_->opened != session.opened()) {
    request_.sketch.clear();
    rules_.reset();
    problem_.reset();
    answered_.reset();
    node_ = -1;
  }
  if (node_ != session.navigation().current()) request_.wishes.clear();  // they were of another state
  node_ = session.navigation().current();
  const Key now{session.opened(),
                node_,
                fmt::format("{} {}", modelledDevice(device), session.modelDevice().cache()->version()),
                own_,
                request_.sketch,
                request_.wishes,
                session.search().choice().rules};
  if (askedFor_ == now) return;
  request_.counts = true;
  request_.choices = now.choices;
  const bool sameProgram =
      answered_ && answered_->opened == now.opened && answered_->device == now.device && answered_->own == now.own;
  askedFor_ = now;
  asked_.ask(
      [now, history = session.navigation().history(), environment = session.documents().environment(),
       devices = session.modelDevice().cache(), name = modelledDevice(device), request = request_,
       before = sameProgram ? rules_ : nullptr]() -> Answer {
        const auto figures = devices->of(name);
        if (!*figures) return {now, nullptr, figures->error()};
        auto rules = tune::rulesAt(history, now.node, environment, **figures, now.own->rules, request, before.get());
        if (!rules) return {now, nullptr, rules.error()};
        return {now, std::make_shared<const tune::RulesAt>(std::move(*rules)), std::nullopt};
      },
      wake);
}

const tune::OwnRule* RuleSteps::ownRule(const tune::PlanRow& row) const {
  if (row.number != "R20" || !own_) return nullptr;
  const auto found = std::ranges::find(own_->rules, row.rule, &tune::OwnRule::name);
  return found == own_->rules.end() ? nullptr : &*found;
}

void RuleSteps::restart() {
  request_ = {};
  askedFor_.reset();
  answered_.reset();
  problem_.reset();
}

void RuleSteps::choose(const std::string& sketch) {
  request_.sketch = sketch;
  request_.wishes.clear();
}

void RuleSteps::press(Session& session, int fold) {
  if (!isCurrent() || !rules_) return;
  const std::shared_ptr<const tune::RulesAt> pressed = rules_;
  for (const tune::RuleAt& row : pressed->rows)
    for (const int d : row.decisions)
      if (row.fold <= fold) request_.wishes.erase(pressed->shown().space.decisions[std::size_t(d)].name);
  Proposal proposal;
  proposal.step.at = pressed->base;
  proposal.step.lines = pressed->linesUpTo(fold);
  proposal.titles = pressed->titlesUpTo(fold);
  // From another state than the current one: the states that are there are used again.
  proposal.step.edited = pressed->base == session.navigation().current() ? -1 : session.navigation().current();
  session.edits().apply(proposal);
  node_ = session.navigation().current();
}

void RuleSteps::pressAll(Session& session) {
  if (rules_) press(session, int(rules_->folds.size()) - 1);
}

}  // namespace loom::session
