#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/text/text.h"

namespace loom::text {

/// A mnemonic, or a modifier after its dot, with what it stands for.
struct Mnemonic {
  std::string_view name;  ///< "LDG"; of PTX as far as it names the operation: "cp.async"
  Text words;
};

/// Return the mnemonics of SASS and their modifiers, in no order. Source: NVIDIA's «CUDA Binary Utilities», instruction
/// set reference, and, for what that only names, disassembled kernels.
std::span<const Mnemonic> sassMnemonics();
std::span<const Mnemonic> sassModifiers();
/// Return the mnemonics of PTX and their modifiers, in no order. Source: PTX ISA 9.0.
std::span<const Mnemonic> ptxMnemonics();
std::span<const Mnemonic> ptxModifiers();

enum class MachineDialect { kPtx, kSass };

/// Returns what the instruction of a line does: its operation and those of its modifiers that have words, such as
/// "LDG.E.128: load from global memory · 64-bit address · 16 bytes wide". Returns "" for an unknown operation, and for
/// lines that hold none (labels, directives).
std::string explain(MachineDialect dialect, std::string_view line, Language language);

}  // namespace loom::text
