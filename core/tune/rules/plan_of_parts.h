#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// A part of a program that was planned by itself, in a sketch of the whole program. A sketch is a schedule that leaves
/// decisions open; rules write it. The blocks are computations with iterators, as in TensorIR.
struct SketchPart {
  std::vector<std::string> blocks;     ///< names of the part's blocks, in program order; at least one
  std::string sketch;                  ///< name of the part's own sketch: "wgmma", "threads"
  std::optional<double> microseconds;  ///< predicted for the part alone, as constructed; nothing: not known
  bool isOpen = false;                 ///< whether the sketch leaves its decisions open; the others are as constructed
};

/// Returns the parts of a sketch that `planOfParts` made, in program order; empty for a sketch of a program that was
/// planned as a whole.
std::vector<SketchPart> partsOf(const Sketch& sketch);

/// Plans the program `state`, which has several `parts` (program_parts.h). A plan has the sketches that rules write for
/// a program. Each part is planned by itself with `planned`, and all but one are scheduled as constructed. The
/// decisions of the part that is predicted to take longest stay open: the sketches are those of its plan, with the
/// lines of the other parts before and after. The predicted time of the others is the quantity "others.ns"; `partsOf`
/// says which part is open and what each is predicted to take. A sketch is left out if its lines conflict with those of
/// the other parts in all of up to four schedules that are tried. Fails with `NoRule` if rules can't make a kernel of a
/// part, or no sketch is left.
Result<RulePlan> planOfParts(const schedule::State& state, const std::vector<schedule::State>& parts,
                             const model::Device& device, const schedule::Environment& environment,
                             const std::function<Result<RulePlan>(const schedule::State&)>& planned);

/// Changes the lines of a sketch so that each copy of a buffer that a block reads is made for that block alone, because
/// other blocks of the program may read the same buffer.
void copyForConsumersAlone(Sketch& sketch);

}  // namespace loom::tune
