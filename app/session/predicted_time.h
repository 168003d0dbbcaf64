#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/model/device.h"

namespace loom::session {

struct StateModel;

/// The prediction for a kernel from its machine code.
struct CompiledTime {
  double microseconds = 0;
  int registers = 0;  ///< registers per thread
};

/// Returns the predicted time, in µs, of a program as written, without its machine code: the sum over the program's
/// kernels. Returns nothing if the program can't be lowered to kernels, or if the device's figures say too little.
/// `known` is null or a model of this same `text` as written, on the same device: its time is taken for the one kernel
/// that it describes. Takes some 100 ms for each other kernel.
std::optional<double> predictedTime(const document::KernelText& text, const model::Device& device,
                                    const StateModel* known = nullptr);

}  // namespace loom::session
