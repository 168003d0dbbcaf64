#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/view_cache.h"
#include "core/document/kernel.h"
#include "core/model/advice.h"
#include "core/model/model.h"

namespace loom::session {

/// What a cost model is made from. Each basis includes the ones before it.
enum class ModelBasis : std::uint8_t {
  kSource,       ///< the program as written
  kResources,    ///< also the registers and spills that the assembler reports
  kMachineCode,  ///< also the SASS, which is interpreted for some warps to count the instructions that they execute
};

/// The cost model's result for one state (the program after some steps of its schedule), from which every panel makes
/// its view. Immutable once made, except that panels store their views of it in `views`. For a program of several
/// kernels it is the model of one of them, `which`.
struct StateModel {
  ModelBasis basis = ModelBasis::kSource;            ///< kMachineCode also with a `sassProblem`
  std::shared_ptr<const document::KernelText> text;  ///< the state's kernels and their CUDA text; never null
  std::optional<model::Device> device;               ///< nothing: the device has no description
  Message deviceProblem;                             ///< why the device is not described; else empty
  std::size_t which = 0;                             ///< index, among the program's kernels, of the modelled one
  std::shared_ptr<const model::KernelModel> kernel;  ///< null: the state is no kernel, and lowering has no draft of one
  std::optional<compile::KernelResources> resources;  ///< the kernel's registers and spills; nothing: not compiled
  std::shared_ptr<const sass::Kernel> machine;        ///< null: no machine code was read
  std::optional<Error> sassProblem;                   ///< why the machine code is missing or could not be counted
  std::vector<model::Advice> advice;                  ///< what limits the kernel; empty without a device
  ViewCache views;

  /// Returns whether the state is a kernel that can run. For a state that is no kernel yet, `kernel` may be a draft
  /// with counts but without times.
  bool isKernel() const { return kernel != nullptr && !kernel->accesses.kernel->draft; }
  /// Returns the predicted time with its breakdown, or null if there is no kernel or the device's figures say too
  /// little.
  const model::Estimate* estimate() const { return isKernel() && kernel->estimate ? &*kernel->estimate : nullptr; }
  /// Returns the predicted timeline of a thread block's execution, or an error if there is no predicted time. Returns
  /// null if there is no kernel.
  std::shared_ptr<const Result<model::Timeline>> timeline() const;
  /// Returns the accesses that the timeline refers to. Null if there is no kernel.
  std::shared_ptr<const model::KernelAccesses> accesses() const;
};

/// What a model may be made from besides the program. Each pointer is null if that isn't known; models keep copies.
struct Known {
  const model::Device* device = nullptr;      ///< the figures of the device
  const compile::Binary* binary = nullptr;    ///< the compiled program
  const Result<std::string>* sass = nullptr;  ///< the disassembly of `binary`, or why there is none
};

/// Returns the model of a program; a pure function. `text` must not be null.
StateModel stateModelOf(std::shared_ptr<const document::KernelText> text, const Known& known);
/// Returns the model of a program, which holds a copy of `text`.
StateModel stateModelOf(const document::KernelText& text, const Known& known);

/// Returns the index of the kernel that takes longest, by the model of the program as written. If `device` is null or
/// one of the kernels has no predicted time, returns the index of the kernel with the most allocations of buffers.
/// `program` must have at least one kernel. Takes some 100 ms for each kernel if there are several.
std::size_t longestKernel(const device::Program& program, const model::Device* device);

}  // namespace loom::session
