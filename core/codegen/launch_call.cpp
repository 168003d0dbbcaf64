#include "core/codegen/launch_call.h"

#include <fmt/format.h>

namespace loom::codegen {
namespace {

std::string dim3(const std::array<std::int64_t, 3>& d) { return fmt::format("dim3({}, {}, {})", d[0], d[1], d[2]); }

}  // namespace

std::string launchCall(const Source& source, const KernelLaunch& launch, const std::string& stream) {
  std::string arguments;
  for (int a : launch.arguments) arguments += (arguments.empty() ? "" : ", ") + source.buffers[std::size_t(a)].name;
  return fmt::format("{}<<<{}, {}, {}{}>>>({})", launch.name, dim3(launch.grid), dim3(launch.block),
                     launch.dynamicSharedBytes, stream.empty() ? "" : ", " + stream, arguments);
}

}  // namespace loom::codegen
