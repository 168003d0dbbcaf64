#pragma once

#include <memory>
#include <optional>

#include "app/panels/code/view/listing.h"
#include "app/panels/compare/view/figures.h"
#include "app/panels/memory/view/memory.h"

namespace loom::workbench {

/// How much of the compiler's work a model takes in. Each includes the ones before it.
enum class ModelBasis : std::uint8_t {
  kSource,       ///< the program alone
  kResources,    ///< registers and spills
  kMachineCode,  ///< SASS, read and run for some warps
};

/// All that the model says of one state, for every panel.
struct StateModel {
  ModelBasis depth = ModelBasis::kSource;  ///< that it has
  MemoryView memory;
  PerformanceView performance;
  /// A block's life; null where there is no kernel, an error where there is no time to share out.
  std::shared_ptr<const Result<model::Timeline>> timeline;
  std::shared_ptr<const model::KernelAccesses> accesses;  ///< that the timeline speaks of; null where it is
  std::optional<MachineText> sass;
  std::shared_ptr<const sass::SassKernel> machine;  ///< that it is the text of
  std::optional<Error> sassProblem;  ///< why there is none, where it was asked for, or why it isn't counted
};

/// What is known besides the program; any may be null.
struct Known {
  const model::Device* device = nullptr;
  const compile::Binary* binary = nullptr;
  const Result<std::string>* sass = nullptr;  ///< of the binary, as compile::disassemble gives it
};

/// A pure function. A program of several kernels is told by its largest.
StateModel stateModelOf(const document::KernelText& text, const Known& known);

}  // namespace loom::workbench
