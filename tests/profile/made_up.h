// Made-up samples of warp stalls, in the CSV that Nsight Compute (ncu) prints, for tests that need a profile of given
// machine code on a machine without a GPU.
#pragma once
#include <fmt/format.h>

#include <string>

#include "core/sass/kernel.h"

namespace loom::profile {

// Returns the CSV for a kernel. Instruction n, from 0, was executed 64 times and has n mod 5 samples with the stall
// reason "wait". Each instruction whose innermost loop is the first one also has 20 with "long_sb", of which 12 are in
// clocks in which the scheduler issued nothing. Addresses are absolute, those of jumps too, as ncu prints them.
inline std::string madeUpCsv(const sass::Kernel& sass) {
  constexpr std::int64_t kBase = 0x7f0000000000;
  std::string csv =
      "\"Kernel Name\",\"" + sass.name +
      "\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\",\"stall_long_sb\",\"stall_wait\","
      "\"stall_long_sb (Not Issued)\",\"stall_wait (Not Issued)\"\n";
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    std::string operands = i.operands;
    for (std::size_t at; (at = operands.find("`(")) != std::string::npos;) {
      const std::int64_t target = i.target >= 0 ? i.target : 0;
      operands.replace(at, operands.find(')', at) + 1 - at, fmt::format("{:#x}", kBase + target));
    }
    const std::int64_t wait = std::int64_t(n % 5), load = i.loop == 0 ? 20 : 0;
    csv += fmt::format("\"{:#x}\",\"{:<6}{} {}\",\"{}\",\"64\",\"{}\",\"{}\",\"{}\",\"0\"\n", kBase + i.address,
                       i.predicated ? "@" + i.guard + " " : "", i.opcode, operands, wait + load, load, wait,
                       load > 0 ? 12 : 0);
  }
  return csv;
}

}  // namespace loom::profile
