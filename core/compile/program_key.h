// What a time, a profile or a proposal belongs to: everything of a program that decides what the device does, but for
// the device itself and its tools, which stand beside the key.
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
// those that the compiler is called with (optionsOf). A program over symbols has a key for each choice of their values:
// `source` is then that instance's.
std::string programKey(const codegen::Source& source, const std::vector<std::string>& options);

}  // namespace loom::compile
