#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/text/text.h"

namespace loom::text {

/// What a mnemonic, or a modifier after its dot, stands for.
struct Mnemonic {
  std::string_view name;  ///< "LDG"; of PTX as far as it names the operation: "cp.async"
  Text words;
};

/// After NVIDIA's «CUDA Binary Utilities», instruction set reference, and, where that gives a name only, what
/// disassembled kernels show. In no order.
std::span<const Mnemonic> sassMnemonics();
std::span<const Mnemonic> sassModifiers();
/// After the PTX ISA 9.0.
std::span<const Mnemonic> ptxMnemonics();
std::span<const Mnemonic> ptxModifiers();

enum class MachineDialect { kPtx, kSass };

/// What the instruction of a line does: its operation and those of its modifiers that have words, such as
/// "LDG.E.128: load from global memory · 64-bit address · 16 bytes wide". Empty where the operation isn't known, and
/// for lines that hold none (labels, directives).
std::string explain(MachineDialect dialect, std::string_view line, Language language);

}  // namespace loom::text
