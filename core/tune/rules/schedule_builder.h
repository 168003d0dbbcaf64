// The common base of builders that construct schedules decision by decision. Private to the room core/tune/rules.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/model/device.h"
#include "core/tune/rules/construct.h"
#include "core/tune/space/residual.h"

namespace loom::tune {

/// A schedule under construction of a sketch, which is a schedule with open decisions. These are limited to single
/// values (pinned) one after another, such that the pins always allow some schedule. A derived class must first find
/// one, by a call of `pin`, which sets `known_`, or by a search (Descent, space/descent.h), whose result it writes to
/// `known_`; before that, `now`, `quantity` and `bytesOfElement` must not be called. Names of decisions must be in the
/// sketch's space unless stated otherwise.
class ScheduleBuilder {
 public:
  /// Begins with `pins`; null: nothing is pinned. Whether they allow any schedule isn't tried. The sketch and the
  /// device must outlive the builder.
  ScheduleBuilder(const Sketch& sketch, const model::Device& device, const Pins* pins)
      : sketch_(sketch), space_(sketch.space), device_(device), pins_(pins ? *pins : Pins(sketch.space)) {}

 protected:
  // Returns the index of a decision; -1 if there is none of this name.
  int indexOf(const std::string& name) const {
    const auto found = std::ranges::find(space_.decisions, name, &Decision::name);
    return found == space_.decisions.end() ? -1 : int(found - space_.decisions.begin());
  }
  bool has(const std::string& name) const { return indexOf(name) >= 0; }
  // Returns all values of a decision, also those that the pins exclude, ascending.
  const std::vector<std::int64_t>& valuesOf(const std::string& name) const {
    return space_.decisions[std::size_t(indexOf(name))].values;
  }
  // Returns the value of a decision in the current schedule.
  std::int64_t now(const std::string& name) const { return known_[std::size_t(indexOf(name))]; }
  // Returns the value of a quantity in the current schedule; 0 if the sketch has none of this name.
  std::int64_t quantity(const std::string& name) const { return quantityOf(sketch_, name, known_).value_or(0); }
  // Returns the bytes of an element of the operands: a fraction if several share a byte.
  double bytesOfElement() const { return double(quantity("element.bits")) / 8; }

  // Pins decisions, which may be none, to these values, sets `known_` to a schedule that is left, and returns true;
  // returns false, and changes nothing, if no schedule would be left, or none is found within 50 ms.
  bool pin(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);
  // Adds a step to the construction: these decisions with their current values, what was decided (`words`), and why.
  void say(const std::vector<std::string>& names, Message words, Message reason);
  // Says how many elements along k ("k.inner") a step has, and how many trips of the loop over k that makes; `before`:
  // how many there were before it was decided.
  void sayElementsAlongK(std::int64_t before);
  // Returns whether the first of two times, in µs, is less than the second, and reads so, too: whether it says
  // something that a schedule takes the first "instead of" the second.
  static bool readsLess(double microseconds, double before);
  // Pins these decisions to the combination of values with the least cost among those that `pin` takes, which gets 50
  // ms for each, and returns true; returns false, and changes nothing, if it takes none. `cost` gets the values in the
  // order of `names`; a combination whose cost is below 0 is never taken. Among equal costs the lower value of the
  // first decision is preferred, then that of the second, and so on.
  bool choose(const std::vector<std::string>& names,
              const std::function<double(const std::vector<std::int64_t>&)>& cost);

  const Sketch& sketch_;
  const Space& space_;
  const model::Device& device_;
  Pins pins_;                 // the values that the decisions made so far leave
  Assignment known_;          // the current schedule, one that the pins allow; empty at first
  Construction made_;         // the steps so far
  KnownResiduals residuals_;  // of all searches
};

}  // namespace loom::tune
