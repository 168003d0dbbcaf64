#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/model/device.h"

namespace loom::session {

struct StateModel;

/// A prediction from machine code.
struct CompiledTime {
  double microseconds = 0;
  int registers = 0;  ///< of a thread
};

/// Returns the predicted time, in µs, of a program as written: the sum over its kernels. Returns nothing if it is no
/// kernel, or if the device's figures say too little. `known` is the model of one of its kernels if that has been made;
/// may be null. Takes some 100 ms.
std::optional<double> predictedTime(const document::KernelText& text, const model::Device& device,
                                    const StateModel* known = nullptr);

}  // namespace loom::session
