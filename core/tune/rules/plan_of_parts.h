#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A part of a program that is planned by itself, as a sketch of the whole program has it.
struct SketchPart {
  std::vector<std::string> blocks;     ///< their names, in program order; at least one
  std::string sketch;                  ///< name of the part's own sketch: "wgmma", "threads"
  std::optional<double> microseconds;  ///< predicted, of the part alone as constructed; nothing: it can't be predicted
  bool isOpen = false;                 ///< whether the sketch leaves its decisions open; the others are as constructed
};

/// Returns the parts that a sketch of `planOfParts` is of, in program order; none: the program is planned as a whole.
std::vector<SketchPart> partsOf(const Sketch& sketch);

/// Plans a program of several parts (program_parts.h), those of `state`: each is planned by itself with `planned`, and
/// all but one are scheduled as constructed. The part that is predicted to take longest stays open: sketches are those
/// of its plan, with the lines of the others before and after, whose predicted time they have as quantity "others.ns";
/// `partsOf` says which part is open and what each is predicted to take.
/// Sketches whose lines don't go together with these are left out. Fails with `NoRule` where rules make no kernel of a
/// part, or no sketch is left.
Result<RulePlan> planOfParts(const schedule::State& state, const std::vector<schedule::State>& parts,
                             const model::Device& device, const schedule::Environment& environment,
                             const std::function<Result<RulePlan>(const schedule::State&)>& planned);

/// Has each copy of what a block reads made for that block alone: others of the program may read the same.
void copyForConsumersAlone(RulePlan& plan);

}  // namespace loom::tune
