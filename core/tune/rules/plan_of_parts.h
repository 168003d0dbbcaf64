#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A part of a program that was planned by itself, in a sketch of the whole program. A sketch is a list of step lines
/// that leaves decisions open; rules write it. The blocks are computations with iterators, as in TensorIR.
struct SketchPart {
  std::vector<std::string> blocks;  ///< names of the part's blocks, in program order; at least one
  std::string sketch;               ///< name of the sketch of the part alone that has its lines: "wgmma", "threads"
  /// Time predicted for the part alone, by the schedule that `buildAll` (built.h) constructed of this sketch; nothing:
  /// not known.
  std::optional<double> microseconds;
  /// Whether the sketch of the whole program leaves the part's decisions open; exactly one part is. The lines of the
  /// others have the values of a constructed schedule in their places.
  bool isOpen = false;
};

/// Returns the parts of a sketch that `planOfParts` made, in program order; empty for a sketch of a program that was
/// planned as a whole.
std::vector<SketchPart> partsOf(const Sketch& sketch);

/// Plans the program `state`, which has at least two `parts` (program_parts.h). `planned`, which returns the plan (the
/// sketches that rules write) of one part, is called once for each, from several threads at a time. The part whose best
/// schedule by `buildAll` is predicted to take longest stays open; an unknown time counts as 0, and of equal ones the
/// first part stays open. The sketches are those of its plan, with the lines of the other parts before and after: each
/// of these by its best schedule. If the lines can't be applied together so, they take turns in stages, with other
/// names for the variables of all parts but the open one (part_lines.h), or else the other parts have schedules whose
/// threads take single elements where they can. The others' predicted time together, in nanoseconds, is the sketch's
/// quantity (Sketch::quantities) "others.ns", where an unknown time counts as 0; `partsOf` tells the parts. If the
/// schedule that is constructed of a sketch can't be applied together with the others' lines, the sketch's decisions on
/// the width of vectors are limited to 1; if it still can't, the sketch is left out. Fails with `NoRule` if no sketch
/// is left, and with the error of `planned` or `buildAll` for the first part that has one.
Result<RulePlan> planOfParts(const schedule::State& state, const std::vector<schedule::State>& parts,
                             const model::Device& device, const schedule::Environment& environment,
                             const std::function<Result<RulePlan>(const schedule::State&)>& planned);

/// Changes the lines of a sketch so that each copy of a buffer that a block reads is made for that block alone, because
/// other blocks of the program may read the same buffer.
void copyForConsumersAlone(Sketch& sketch);

}  // namespace loom::tune
