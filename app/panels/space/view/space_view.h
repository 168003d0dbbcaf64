#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tune/rules/sketch.h"
#include "core/tune/space/diagram.h"
#include "core/tune/space/pins.h"

namespace loom::session {

/// A sketch that rules make of a program (a schedule with open decisions, such as tile sizes), with the decision
/// diagram that counts the schedules of its space: the combinations of the decisions' values that satisfy all
/// constraints.
struct CountedSketch {
  /// Counts the space of `made`; takes longer for larger spaces.
  explicit CountedSketch(tune::Sketch made) : sketch(std::move(made)), diagram(tune::Diagram::of(sketch.space)) {}

  tune::Sketch sketch;
  Result<tune::Diagram> diagram;  ///< an error if the space is too large to be counted
};

/// A value that a decision can take.
struct SpaceValue {
  std::int64_t value = 0;
  bool isAllowed = true;  ///< whether the pins on its own decision allow the value
  /// Number of schedules that have this value and obey the pins on the other decisions; nothing: not counted.
  std::optional<tune::Count> schedules;
  double share = 0;  ///< `schedules` over the sum for all values of the decision, 0…1; 0 if they aren't counted

  /// Returns whether it is known that no schedule has the value.
  bool isDead() const { return schedules && *schedules == 0; }
};

/// A decision of a sketch, as a row of the panel Space shows it.
struct SpaceRow {
  Message words;           ///< the sentence that says what is decided
  std::string name;        ///< identifier of the decision (tune::Decision)
  bool isPinned = false;   ///< whether the user has pinned the decision to some of its values
  bool isYesOrNo = false;  ///< whether its values 0 and 1 stand for no and yes
  std::vector<SpaceValue> values;
  std::vector<int> constraints;  ///< indices, in the space, of the constraints that name the decision
};

/// What the panel Space shows of a sketch when some of its decisions are pinned to values.
struct SpaceView {
  std::optional<tune::Count> schedules;  ///< number of schedules that the pins allow; nothing: not counted
  std::vector<SpaceRow> rows;            ///< one row per decision, in the order of the space
};

/// Counts the schedules of a sketch that obey `pins`, in total and by value of each decision; all counts are nothing if
/// `counted.diagram` is an error. The values of a pinned decision are counted as if that decision weren't pinned. Takes
/// some tenths of a millisecond for a space of 10⁹ schedules: a sweep over the diagram, and one more for each pinned
/// decision.
SpaceView spaceViewOf(const CountedSketch& counted, const tune::Pins& pins);

/// Returns a number of schedules as text: "1024", without groups of digits; from ten millions on, rounded: "1.306·10⁸".
std::string schedulesText(tune::Count count);

/// Returns a number of schedules as text with all its digits, in groups of three if there are more than four.
std::string exactText(tune::Count count);

}  // namespace loom::session
