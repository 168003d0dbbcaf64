// What builders of schedules share: decisions pinned one after another, each with a reason. Private to the room.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/model/device.h"
#include "core/tune/rules/construct.h"

namespace loom::tune {

/// A schedule of a sketch while it is built: values of decisions are pinned, and a schedule is left at each time.
class ScheduleBuilder {
 public:
  ScheduleBuilder(const Sketch& sketch, const model::Device& device, const Pins* pins)
      : sketch_(sketch), space_(sketch.space), device_(device), pins_(pins ? *pins : Pins(sketch.space)) {}

 protected:
  int indexOf(const std::string& name) const {
    const auto found = std::ranges::find(space_.decisions, name, &Decision::name);
    return found == space_.decisions.end() ? -1 : int(found - space_.decisions.begin());
  }
  bool has(const std::string& name) const { return indexOf(name) >= 0; }
  const std::vector<std::int64_t>& valuesOf(const std::string& name) const {
    return space_.decisions[std::size_t(indexOf(name))].values;
  }
  std::int64_t now(const std::string& name) const { return known_[std::size_t(indexOf(name))]; }
  std::int64_t quantity(const std::string& name) const { return quantityOf(sketch_, name, known_).value_or(0); }
  // Of an element of the operands: a fraction where several share a byte.
  double bytesOfElement() const { return double(quantity("element.bits")) / 8; }

  // Pins the decisions to these values; false, and nothing is changed, if no schedule would be left.
  bool pin(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);
  // Notes a step: decisions with their values of now.
  void say(const std::vector<std::string>& names, Message words, Message reason);
  // Pins the combination of values of these decisions that costs least among those that leave a schedule; one whose
  // cost is below 0 is never taken. False: there is none.
  bool choose(const std::vector<std::string>& names,
              const std::function<double(const std::vector<std::int64_t>&)>& cost);

  const Sketch& sketch_;
  const Space& space_;
  const model::Device& device_;
  Pins pins_;
  Assignment known_;
  Construction made_;
};

}  // namespace loom::tune
