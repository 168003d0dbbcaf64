#include "core/compile/program_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

namespace loom::compile {
namespace {

// Texts carry their lengths: two programs can't run into the same words by what a name or an option is made of.
void add(std::string& all, const char* what, std::string_view text) {
  all += fmt::format("{} {} {}\n", what, text.size(), text);
}

}  // namespace

std::string contentHash(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string programKey(const codegen::Source& source, const std::vector<std::string>& options) {
  std::string all;
  add(all, "text", codegen::withoutComments(source.text));
  for (const codegen::KernelLaunch& l : source.launches) {
    add(all, "launch", l.name);
    all += fmt::format("grid {} block {} shared {} arguments {}\n", fmt::join(l.grid, " "), fmt::join(l.block, " "),
                       l.dynamicSharedBytes, fmt::join(l.arguments, " "));
    for (const codegen::ScalarArgument& s : l.scalars) all += fmt::format("number {} {}\n", s.dtype.str(), s.value);
    for (const codegen::TensorMapArgument& m : l.maps)
      all += fmt::format("map of {} extents {} strides {} box {} swizzle {}\n", m.buffer, fmt::join(m.extents, " "),
                         fmt::join(m.strides, " "), fmt::join(m.box, " "), m.swizzle);
  }
  for (const codegen::GlobalBuffer& b : source.buffers) {
    all += fmt::format("{} {} shape {}\n", b.temporary ? "temporary" : "parameter", b.dtype.str(),
                       fmt::join(b.shape, " "));
  }
  for (const codegen::GlobalBuffer& b : source.buffers)
    if (!b.temporary) all += fmt::format("places {} from {}\n", fmt::join(b.strides, " "), b.start);
  for (const std::string& option : options) add(all, "option", option);
  return contentHash(all);
}

}  // namespace loom::compile
