#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tune/rules/sketch.h"
#include "core/tune/space/diagram.h"
#include "core/tune/space/pins.h"

namespace loom::session {

/// A sketch that rules make of a program, with its space, counted.
struct CountedSketch {
  explicit CountedSketch(tune::Sketch made) : sketch(std::move(made)), diagram(tune::Diagram::of(sketch.space)) {}

  tune::Sketch sketch;
  Result<tune::Diagram> diagram;  ///< fails where the space is too large: "not counted: …"
};

/// A value of a decision.
struct SpaceValue {
  std::int64_t value = 0;
  bool isAllowed = true;  ///< by the pins
  /// How many schedules have the value under the pins of the other decisions; nothing: not counted.
  std::optional<tune::Count> schedules;
  double share = 0;  ///< of the schedules of all values of the decision, 0…1; 0 where nothing is counted

  /// Returns true if no schedule has it.
  bool isDead() const { return schedules && *schedules == 0; }
};

/// A decision.
struct SpaceRow {
  Message words;
  std::string name;
  bool isPinned = false;
  bool isYesOrNo = false;  ///< as in tune::Decision
  std::vector<SpaceValue> values;
  std::vector<int> constraints;  ///< that name it: indices in the space
};

/// What the panel Space shows of a sketch under pins.
struct SpaceView {
  std::optional<tune::Count> schedules;  ///< that the pins allow; nothing: not counted
  std::vector<SpaceRow> rows;            ///< by decision
};

/// Counts a sketch under pins: a sweep over the diagram, and one more for each pinned decision, whose other values are
/// counted as if it were free. Some tenths of a millisecond for a space of 10⁹ schedules.
SpaceView spaceViewOf(const CountedSketch& counted, const tune::Pins& pins);

/// Returns a number of schedules as it is read: "1024"; from ten millions on "1.306·10⁸".
std::string schedulesText(tune::Count count);

/// Returns all digits, in groups of three.
std::string exactText(tune::Count count);

}  // namespace loom::session
