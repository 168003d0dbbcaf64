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
/// its view. Immutable once made, except that panels, on any thread, store their views of it in `views`. Of a program
/// of several kernels, the one that `longestKernel` picks is modelled. For a state that is no kernel yet, lowering may
/// have a draft (lower::draft): a kernel that no GPU can run, but whose statements read and write what the program
/// says.
struct StateModel {
  /// What was given to make the model from: kMachineCode if Known::sass was, even if that is an error or `sassProblem`
  /// says why it wasn't used. kSource if the state has neither a kernel nor a draft.
  ModelBasis basis = ModelBasis::kSource;
  std::shared_ptr<const document::KernelText> text;  ///< the state's kernels and their CUDA text; never null
  std::optional<model::Device> device;               ///< nothing: its figures aren't known
  Message deviceProblem;  ///< why `device` is missing, filled in by `modelOn` (described_device.h); else empty
  std::size_t which = 0;  ///< index, among the program's kernels, of the modelled one; 0 if there is none
  std::shared_ptr<const model::KernelModel> kernel;  ///< null: the state is no kernel, and lowering has no draft of one
  std::optional<compile::KernelResources> resources;  ///< the kernel's registers and spills; nothing: not compiled
  /// The kernel's machine code, also if it could not be counted; null: none was read, or the state is a draft.
  std::shared_ptr<const sass::Kernel> machine;
  /// Why the machine code that was given is missing or could not be counted; nothing if it was counted, or if none was
  /// given (Known::sass is null).
  std::optional<Error> sassProblem;
  std::vector<model::Advice> advice;  ///< what limits the kernel; empty for a draft and without a device
  ViewCache views;

  /// Returns whether the model is made from the kernel's machine code, which was read and counted.
  bool isOfMachineCode() const { return basis == ModelBasis::kMachineCode && !sassProblem; }
  /// Returns whether the state is a kernel that can run. For a state that is no kernel yet, `kernel` may be a draft
  /// with counts but without times.
  bool isKernel() const { return kernel != nullptr && !kernel->accesses.kernel->draft; }
  /// Returns the predicted time with its breakdown, or null if `isKernel()` is false or the device's figures say too
  /// little.
  const model::Estimate* estimate() const { return isKernel() && kernel->estimate ? &*kernel->estimate : nullptr; }
  /// Returns the predicted timeline of a thread block's execution, which was computed with the model, or an error if
  /// there is no predicted time. Returns null if `isKernel()` is false.
  std::shared_ptr<const Result<model::Timeline>> timeline() const;
  /// Returns the accesses that the timeline refers to. Null if `isKernel()` is false; those of a draft are in `kernel`.
  std::shared_ptr<const model::KernelAccesses> accesses() const;
};

/// What a model may be made from besides the program. A null pointer: not known. Models keep copies.
struct Known {
  const model::Device* device = nullptr;      ///< the figures of the device
  const compile::Binary* binary = nullptr;    ///< the compiled program
  const Result<std::string>* sass = nullptr;  ///< the disassembly of `binary`, or why there is none; needs `binary`
};

/// Returns the model of a program, of the kernel that `longestKernel` picks, which takes time if there are several. A
/// pure function; `deviceProblem` stays empty. `text` must not be null.
StateModel stateModelOf(std::shared_ptr<const document::KernelText> text, const Known& known);
/// Does the same, and the model holds a copy of `text`.
StateModel stateModelOf(const document::KernelText& text, const Known& known);

/// Returns the index of the kernel that takes longest, by the model of the program as written. If `device` is null or
/// one of the kernels has no predicted time, returns the index of the kernel with the most allocations of buffers.
/// `program` must have at least one kernel. Takes some 100 ms for each kernel if there are several and a device.
std::size_t longestKernel(const device::Program& program, const model::Device* device);

}  // namespace loom::session
