// What names a text in file names and keys: XXH3's 128 bits, as 32 hexadecimal digits.
#pragma once
#include <string>
#include <string_view>

namespace loom::compile {

std::string contentHash(std::string_view text);

}  // namespace loom::compile
