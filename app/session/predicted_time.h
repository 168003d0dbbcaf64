#pragma once

#include <optional>

#include "core/document/kernel.h"
#include "core/model/device.h"

namespace loom::session {

struct StateModel;

/// The time that the model gives for a program as it is written, µs; none where it is no kernel, or the device's
/// figures say too little. `known` is what has been modelled of it already: its largest kernel. Some 100 ms.
std::optional<double> predictedTime(const document::KernelText& text, const model::Device& device,
                                    const StateModel* known = nullptr);

}  // namespace loom::session
