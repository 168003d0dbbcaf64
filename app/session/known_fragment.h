#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/probed.h"

namespace loom::session {

/// How a wmma fragment lies in the lanes' registers, which PTX leaves open.
struct FragmentLayout {
  Result<layout::Layout> layout;  ///< (lane, register[, half | byte]) → (row, column), or why nobody knows it
  Message note;                   ///< who says so; empty where nobody does
};

/// Machine code of a CUDA text as it is disassembled, and what compiled it, "NVRTC 13.0".
struct ProbeCode {
  std::string sass, compiler;
};
using ProbeCompiler = std::function<Result<ProbeCode>(const std::string& text)>;

/// As a device of that architecture, "sm_90a", has shown it to a probe, by what probes have `shown`; else from the
/// machine code of a probe kernel that is compiled for it; where nothing can be compiled, as code was seen to have it
/// before. For the background: `compile` takes as long as a compiler does.
FragmentLayout fragmentOn(const std::string& architecture, const model::FragmentKind& kind,
                          const std::vector<model::ProbeResults>& shown, const ProbeCompiler& compile);

}  // namespace loom::session
