#include "core/tune/tensorize/outcome.h"

namespace loom::tune {

bool succeeded(PassOutcome outcome) { return outcome <= PassOutcome::Scaled; }

std::string_view nameOf(PassOutcome outcome) {
  switch (outcome) {
    case PassOutcome::Matches: return "matches";
    case PassOutcome::Identified: return "identified";
    case PassOutcome::Unified: return "unified";
    case PassOutcome::Scaled: return "scaled";
    case PassOutcome::NoPlainNest: return "no_plain_nest";
    case PassOutcome::NotAReduction: return "not_a_reduction";
    case PassOutcome::NoReduceAxis: return "no_reduce_axis";
    case PassOutcome::SeveralReduceAxes: return "several_reduce_axes";
    case PassOutcome::CombinerNotASum: return "combiner_not_a_sum";
    case PassOutcome::SourceNotAProduct: return "source_not_a_product";
    case PassOutcome::NotTwoReads: return "not_two_reads";
    case PassOutcome::AccumulatorType: return "accumulator_type";
    case PassOutcome::OperandTypes: return "operand_types";
    case PassOutcome::IndicesNotBare: return "indices_not_bare";
    case PassOutcome::ExtentsNotDivisible: return "extents_not_divisible";
    case PassOutcome::DeviceLacksIt: return "device_lacks_it";
    case PassOutcome::OperationMissing: return "operation_missing";
    case PassOutcome::OperandIsNeither: return "operand_is_neither";
    case PassOutcome::NoWholeWarps: return "no_whole_warps";
    case PassOutcome::NoLegalWarpTile: return "no_legal_warp_tile";
    case PassOutcome::AlreadyTensorized: return "already_tensorized";
    case PassOutcome::StepRefused: return "step_refused";
    case PassOutcome::NoKernel: return "no_kernel";
    case PassOutcome::NotReached: return "not_reached";
  }
  return "";
}

Message wordsOf(PassOutcome outcome) {
  switch (outcome) {
    case PassOutcome::Matches: return message("Matches");
    case PassOutcome::Identified: return message("Operands identified");
    case PassOutcome::Unified: return message("A tile for each warp");
    case PassOutcome::Scaled: return message("Loops scaled");
    case PassOutcome::NoPlainNest: return message("No plain loop nest");
    case PassOutcome::NotAReduction: return message("Not a reduction");
    case PassOutcome::NoReduceAxis: return message("No reduce axis");
    case PassOutcome::SeveralReduceAxes: return message("Several reduce axes");
    case PassOutcome::CombinerNotASum: return message("The combiner is no sum");
    case PassOutcome::SourceNotAProduct: return message("What is added is no product");
    case PassOutcome::NotTwoReads: return message("Not two reads");
    case PassOutcome::AccumulatorType: return message("Type of the accumulator");
    case PassOutcome::OperandTypes: return message("Types of the operands");
    case PassOutcome::IndicesNotBare: return message("Indices are not bare iterators");
    case PassOutcome::ExtentsNotDivisible: return message("Extents are not divisible");
    case PassOutcome::DeviceLacksIt: return message("The device lacks it");
    case PassOutcome::OperationMissing: return message("No such operation here yet");
    case PassOutcome::OperandIsNeither: return message("An operand is neither a nor b");
    case PassOutcome::NoWholeWarps: return message("No whole warps");
    case PassOutcome::NoLegalWarpTile: return message("No legal warp tile");
    case PassOutcome::AlreadyTensorized: return message("On tensor cores already");
    case PassOutcome::StepRefused: return message("A step is refused");
    case PassOutcome::NoKernel: return message("No kernel");
    case PassOutcome::NotReached: return message("Not reached");
  }
  return {};
}

}  // namespace loom::tune
