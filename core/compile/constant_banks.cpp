#include "core/compile/constant_banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace loom::compile {
namespace {

// A little-endian number of the file; 0 beyond its end.
std::uint64_t numberAt(const std::vector<char>& file, std::uint64_t at, int bytes) {
  std::uint64_t value = 0;
  if (at > file.size() || std::uint64_t(bytes) > file.size() - at) return 0;
  for (int n = bytes; n-- > 0;) value = value << 8 | static_cast<unsigned char>(file[std::size_t(at) + std::size_t(n)]);
  return value;
}

struct Section {
  std::uint64_t name = 0, at = 0, size = 0;
};

// Of an ELF file of 64 bits, after System V's gABI: header and section headers.
Section sectionAt(const std::vector<char>& file, std::uint64_t n) {
  const std::uint64_t header = numberAt(file, 0x28, 8) + n * numberAt(file, 0x3a, 2);
  return {numberAt(file, header, 4), numberAt(file, header + 0x18, 8), numberAt(file, header + 0x20, 8)};
}

bool lies(const std::vector<char>& file, const Section& s) {
  return s.at <= file.size() && s.size <= file.size() - s.at;
}

std::string_view nameOf(const std::vector<char>& file, const Section& names, const Section& s) {
  if (s.name >= names.size) return {};
  std::string_view text(file.data() + names.at + s.name, std::size_t(names.size - s.name));
  return text.substr(0, text.find('\0'));
}

}  // namespace

std::string constantBanks(const std::vector<char>& cubin) {
  constexpr std::string_view kElf =
                                 "\x7f"
                                 "ELF\x02\x01",
                             kBank = ".nv.constant";
  if (cubin.size() < 64 || !std::equal(kElf.begin(), kElf.end(), cubin.begin())) return "";
  const std::uint64_t count = numberAt(cubin, 0x3c, 2);
  const Section names = sectionAt(cubin, numberAt(cubin, 0x3e, 2));
  if (!lies(cubin, names)) return "";
  std::string text;
  for (std::uint64_t n = 0; n < count; ++n) {
    const Section s = sectionAt(cubin, n);
    const std::string_view name = nameOf(cubin, names, s);
    if (!name.starts_with(kBank) || name.starts_with(".nv.constant0.") || s.size == 0 || !lies(cubin, s)) continue;
    text += fmt::format("\t.section\t{},\"a\",@progbits\n{}:\n", name, name);
    for (std::uint64_t at = 0; at < s.size; at += 16) {
      text += "        .byte ";
      for (std::uint64_t b = at; b < std::min(s.size, at + 16); ++b)
        text += fmt::format("{}0x{:02x}", b == at ? "" : ", ", numberAt(cubin, s.at + b, 1));
      text += '\n';
    }
  }
  return text;
}

}  // namespace loom::compile
