// The key by which measured times, profiles and proposals of a program are stored. It covers everything of a program
// that decides what the device does. The device and the versions of its tools aren't part of it and are stored beside
// it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/cuda.h"

namespace loom::compile {

// Returns the hash that names a text in file names and keys: XXH3's 128 bits as 32 hexadecimal digits.
std::string contentHash(std::string_view text);

// Returns the key by which results of a program are stored. It is the content hash of the text without comments, the
// launches in their order (kernel, grid, block, dynamic shared memory, arguments, scalars, maps), the global memory
// that the host provides (element type, shape, strides and offset of each parameter, then temporaries), and `options`,
// the options of the compiler (optionsOf). A program with symbolic sizes has a key for each choice of their values:
// `source` must be of the program with these values.
std::string programKey(const codegen::Source& source, const std::vector<std::string>& options);

}  // namespace loom::compile
