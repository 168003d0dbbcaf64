#include "app/panels/space/view/space_model.h"

#include <algorithm>

#include "core/tune/rules/read_back.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/descent.h"

namespace loom::session {

void SpaceModel::explore(MakeSketches make, std::function<void()> wake) {
  wake_ = wake;
  explored_.ask(
      [make = std::move(make)] {
        Explored explored;
        auto sketches = make();
        if (sketches) {
          for (tune::Sketch& sketch : *sketches) {
            explored.sketches.push_back(std::make_shared<const CountedSketch>(std::move(sketch)));
          }
        } else {
          explored.problem = sketches.error();
        }
        return explored;
      },
      std::move(wake));
}

void SpaceModel::poll() {
  if (auto explored = explored_.take()) {
    problem_ = std::move(explored->problem);
    sketches_ = std::move(explored->sketches);
    choose(0);
  } else if (auto failure = explored_.takeFailure()) {
    problem_ = std::move(failure);
    sketches_.clear();
    choose(0);
  }
  if (auto counted = counted_.take()) {
    if (counted->of.get() == sketch()) waterfall_ = std::move(counted->waterfall);
  }
  if (auto explained = explained_.take()) {
    if (explained->of.get() == sketch() && explained->pins == *pins_)
      why_[explained->value] = std::move(explained->why);
  }
  if (auto read = readBack_.take()) {
    if (read->of.get() == sketch() && read->lines == ownLines_) own_ = std::move(read->own);
  }
}

const CountedSketch* SpaceModel::sketch() const {
  const auto at = static_cast<std::size_t>(chosen_);
  return at < sketches_.size() ? sketches_[at].get() : nullptr;
}

void SpaceModel::choose(int sketch) {
  stop();
  chosen_ = sketch;
  countsWaterfall_ = false;
  waterfall_.reset();
  pins_.reset();
  if (const CountedSketch* shown = this->sketch()) {
    pins_.emplace(shown->sketch.space);
    pinsChanged();
    readOwn();
  }
}

void SpaceModel::stop() {
  stopped_->store(true);
  stopped_ = std::make_shared<std::atomic<bool>>(false);
}

void SpaceModel::pinsChanged() {
  explaining_.reset();
  why_.clear();
  draws_.reset();
  counts_.reset();
  view_ = spaceViewOf(*sketch(), *pins_);
}

void SpaceModel::click(int decision, std::int64_t value, bool extends) {
  const SpaceRow& row = view_.rows[static_cast<std::size_t>(decision)];
  std::vector<std::int64_t> allowed;
  for (const SpaceValue& v : row.values) {
    if (v.value == value && v.isDead()) return;
    if (v.isAllowed && row.isPinned) allowed.push_back(v.value);
  }
  const auto at = std::find(allowed.begin(), allowed.end(), value);
  if (at != allowed.end() && (extends || allowed.size() == 1)) {
    allowed.erase(at);
  } else if (extends) {
    allowed.push_back(value);
  } else {
    allowed = {value};
  }
  if (allowed.empty()) return release(decision);
  pins_->limitTo(decision, allowed);
  pinsChanged();
}

void SpaceModel::release(int decision) {
  pins_->release(decision);
  pinsChanged();
}

void SpaceModel::releaseAll() {
  *pins_ = tune::Pins(sketch()->sketch.space);
  pinsChanged();
}

void SpaceModel::pinToOwn() {
  if (!own_) return;
  const tune::Space& space = sketch()->sketch.space;
  const auto& diagram = sketch()->diagram;
  tune::Pins pins(space);
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    const auto value = own_->values.find(space.decisions[d].name);
    if (value == own_->values.end() || tune::valueIndexOf(space.decisions[d], value->second) < 0) continue;
    tune::Pins more = pins;
    more.limitTo(static_cast<int>(d), {value->second});
    if (!diagram || tune::PinnedCounts(*diagram, more).count() > 0) pins = std::move(more);
  }
  *pins_ = std::move(pins);
  pinsChanged();
}

void SpaceModel::setOwn(const std::vector<std::string>& lines, const std::function<Scheduled()>& states) {
  if (ownLines_ == lines) return;
  ownLines_ = lines;
  ownStates_ = states ? std::optional(states()) : std::nullopt;
  readOwn();
}

void SpaceModel::readOwn() {
  own_.reset();
  if (sketch() == nullptr) return;
  readBack_.ask(
      [counted = sketches_[static_cast<std::size_t>(chosen_)], lines = ownLines_, states = ownStates_] {
        OwnSchedule own{states ? tune::decisionsOf(counted->sketch, lines, states->begin, states->now)
                               : tune::decisionsIn(counted->sketch, lines),
                        {}};
        if (!own.values.empty()) own.membership = tune::membershipOf(counted->sketch.space, own.values);
        return ReadBack{counted, lines, std::move(own)};
      },
      wake_);
}

const tune::Waterfall* SpaceModel::waterfall() {
  if (!countsWaterfall_) {
    countsWaterfall_ = true;
    counted_.ask(
        [counted = sketches_[static_cast<std::size_t>(chosen_)], stopped = stopped_] {
          return CountedWaterfall{counted, tune::waterfallOf(counted->sketch.space, {2'000'000, 1, stopped.get()})};
        },
        wake_);
  }
  return waterfall_ ? &*waterfall_ : nullptr;
}

const tune::WhyDead* SpaceModel::whyDead(int decision, std::int64_t value) {
  const std::pair key{decision, value};
  const auto known = why_.find(key);
  if (known != why_.end()) return &known->second;
  if (explaining_ != key) {
    explaining_ = key;
    explained_.ask(
        [counted = sketches_[static_cast<std::size_t>(chosen_)], key, pins = *pins_, stopped = stopped_] {
          const tune::Space& space = counted->sketch.space;
          return Explained{counted, key, pins, tune::whyDead(space, pins, key.first, key.second, *stopped)};
        },
        wake_);
  }
  return nullptr;
}

Result<std::optional<tune::Assignment>> SpaceModel::draw() {
  const CountedSketch& shown = *sketch();
  if (!shown.diagram) {
    constexpr double kSeconds = 0.01;
    tune::Random random(seed_++);
    return tune::Descent(shown.sketch.space, *pins_).draw(random, {2'000'000, kSeconds, nullptr});
  }
  if (!draws_) {
    counts_ = std::make_unique<tune::PinnedCounts>(*shown.diagram, *pins_);
    draws_ = std::make_unique<tune::ShuffledSchedules>(*counts_, seed_++);
  }
  return draws_->next();
}

}  // namespace loom::session
