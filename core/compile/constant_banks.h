#pragma once

#include <string>
#include <vector>

namespace loom::compile {

// Returns the constants that the assembler keeps beside a kernel's code (bank 2 and the like; bank 0 holds the launch),
// in the form in which nvdisasm writes sections: ".nv.constant2.main_kernel:" and ".byte 0x00, 0x24, …". Returns "" for
// a cubin without constants, and for bytes that are no cubin.
std::string constantBanks(const std::vector<char>& cubin);

}  // namespace loom::compile
