#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/text/text.h"

namespace loom::text {

/// A mnemonic of an instruction, or a modifier that follows it behind a dot, with its meaning.
struct Mnemonic {
  std::string_view name;  ///< "LDG"; for PTX with all parts that name the operation: "cp.async"
  Text words;             ///< what the instruction or the modifier does: "load from global memory"
};

/// Return the mnemonics of SASS and their modifiers but for the extents of products, which have words by themselves
/// ("16816"), in no particular order. Source: the instruction set reference in
/// NVIDIA's «CUDA Binary Utilities», and disassembled kernels where the reference has only a name.
std::span<const Mnemonic> sassMnemonics();
std::span<const Mnemonic> sassModifiers();
/// Return the mnemonics of PTX and their modifiers but for the extents of products ("m16n8k16"), in no particular
/// order. Source: PTX ISA 9.0.
std::span<const Mnemonic> ptxMnemonics();
std::span<const Mnemonic> ptxModifiers();

enum class MachineDialect { kPtx, kSass };

/// Returns what the instruction in a line of PTX or SASS does: its operation and those modifiers whose meaning is
/// known, such as "LDG.E.128: load from global memory · 64-bit address · 16 bytes wide". Returns "" for an unknown
/// operation, and for a line without an instruction (a label or directive).
std::string explain(MachineDialect dialect, std::string_view line, Language language);

}  // namespace loom::text
