#pragma once

#include <string>
#include <vector>

namespace loom::compile {

// Returns the constant banks of a cubin's kernels as text, in the form in which nvdisasm writes sections:
// ".nv.constant2.main_kernel:" and ".byte 0x00, 0x24, …". They hold constants that the assembler stores beside a
// kernel's code. Bank 0, which holds the kernel's arguments, is left out. Returns "" for a cubin without constants, and
// for bytes that are no cubin.
std::string constantBanks(const std::vector<char>& cubin);

}  // namespace loom::compile
