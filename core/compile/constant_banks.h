#pragma once

#include <string>
#include <vector>

namespace loom::compile {

// Returns the constant banks of a cubin's kernels as text, in the form in which nvdisasm writes sections:
// ".nv.constant2.main_kernel:" and ".byte 0x00, 0x24, …", 16 bytes a line, in the order of the file. They hold
// constants that the assembler stores beside a kernel's code, and those that the source declares. Bank 0 of a kernel,
// which holds its arguments, is left out. Returns "" for a cubin without constants, and for bytes that are no cubin; a
// section beyond the end of the bytes is left out.
std::string constantBanks(const std::vector<char>& cubin);

}  // namespace loom::compile
