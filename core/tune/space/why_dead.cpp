#include "core/tune/space/why_dead.h"

#include "core/tune/space/descent.h"

namespace loom::tune {
namespace {

// Whether a schedule goes with the pins once some constraints are gone.
class Revival {
 public:
  Revival(const Space& space, const std::atomic<bool>& stop) : space_(space) {
    limits_.stop = &stop;
    limits_.nodes = 200'000;
    limits_.seconds = 0.5;
  }

  bool livesWithout(const std::vector<int>& constraints, const Pins& pins) {
    Space fewer = space_;
    for (auto c = constraints.rbegin(); c != constraints.rend(); ++c) {
      fewer.constraints.erase(fewer.constraints.begin() + *c);
    }
    const auto found = Descent(fewer, pins).first(limits_);
    if (!found) isComplete_ = false;
    return found && found->has_value();
  }
  bool isStopped() {
    const bool stopped = limits_.stop->load(std::memory_order_relaxed);
    isComplete_ &= !stopped;
    return stopped;
  }
  bool isComplete() const { return isComplete_; }

 private:
  const Space& space_;
  CountLimits limits_;
  bool isComplete_ = true;
};

}  // namespace

WhyDead whyDead(const Space& space, const Pins& pins, int decision, std::int64_t value, const std::atomic<bool>& stop) {
  WhyDead why;
  Revival revival(space, stop);
  Pins withValue = pins;
  withValue.limitTo(decision, {value});
  why.isAlive = revival.livesWithout({}, withValue);
  const int constraints = static_cast<int>(space.constraints.size());
  for (int c = 0; c < constraints && !why.isAlive && !revival.isStopped(); ++c) {
    if (revival.livesWithout({c}, withValue)) why.constraints.push_back(c);
  }
  for (const int d : pins.pinned()) {
    if (d == decision || why.isAlive || revival.isStopped()) continue;
    Pins without = withValue;
    without.release(d);
    if (revival.livesWithout({}, without)) why.pins.push_back(d);
  }
  const bool seeksPairs = why.nothingFound();
  for (int a = 0; a < constraints && seeksPairs; ++a) {
    for (int b = a + 1; b < constraints && !revival.isStopped(); ++b) {
      if (revival.livesWithout({a, b}, withValue)) why.pairs.emplace_back(a, b);
    }
  }
  why.isComplete = revival.isComplete();
  return why;
}

}  // namespace loom::tune
