#pragma once

#include <string>
#include <vector>

namespace loom::compile {

// The constants that the assembler keeps beside a kernel's code (bank 2 and the like; bank 0 holds the launch), as
// nvdisasm writes sections: ".nv.constant2.main_kernel:" and ".byte 0x00, 0x24, …". Empty where a cubin has none, and
// for bytes that are no cubin.
std::string constantBanks(const std::vector<char>& cubin);

}  // namespace loom::compile
