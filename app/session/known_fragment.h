#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/probed.h"

namespace loom::session {

/// The layout of a fragment in the registers of a warp's lanes. The PTX ISA specifies that of mma.sync's fragments and
/// leaves that of wmma's open.
struct FragmentLayout {
  /// (lane, register[, half | byte]) → (row, column), or why it isn't known. A half or a byte is an element's place in
  /// a register of 32 bits that has two or four elements.
  Result<layout::Layout> layout;
  Message note;  ///< how the layout was found out; empty if it isn't known
};

/// The disassembled machine code of a CUDA text, and the compiler that made it, "NVRTC 13.0".
struct ProbeCode {
  std::string sass, compiler;
};
/// Compiles the CUDA text of a probe kernel, a small one whose machine code shows the layout of a fragment, for the
/// architecture that the maker of the function has bound to it. Returns an error if that fails, or if there is no
/// compiler; must not be an empty std::function.
using ProbeCompiler = std::function<Result<ProbeCode>(const std::string& text)>;

/// Returns the layout of a kind of fragment (operand, tile shape, element type) on an architecture ("sm_90a"), from the
/// first of these sources that has it: the PTX ISA; `shown`, which has results of probe kernels run on any devices, of
/// which those with the architecture's compute capability count; the machine code of a probe kernel that `compile`
/// compiles for the architecture; and, only if that can't be compiled, a table of some fragments of 16 × 16 × 16, as
/// such code was seen before. The layout is an error if no source has it. Takes as long as `compile`, so it must run on
/// a background thread.
FragmentLayout fragmentOn(const std::string& architecture, const model::FragmentKind& kind,
                          const std::vector<model::ProbeResults>& shown, const ProbeCompiler& compile);

}  // namespace loom::session
