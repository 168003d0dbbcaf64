#include "core/codegen/launch_call.h"

#include <fmt/format.h>

namespace loom::codegen {
namespace {

std::string dim3(const std::array<std::string, 3>& d) { return fmt::format("dim3({}, {}, {})", d[0], d[1], d[2]); }

}  // namespace

std::string launchCall(const Source& source, const KernelLaunch& launch, const std::string& stream) {
  std::string arguments;
  for (int a : launch.arguments) arguments += (arguments.empty() ? "" : ", ") + source.buffers[std::size_t(a)].name;
  for (const ScalarArgument& s : launch.scalars) arguments += (arguments.empty() ? "" : ", ") + s.name;
  for (const TensorMapArgument& m : launch.maps) arguments += (arguments.empty() ? "" : ", ") + m.name;
  std::array<std::string, 3> grid, block;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const ir::Expr& extent = launch.gridExtents[axis];
    grid[axis] = extent ? symbolText(extent, source.symbols) : std::to_string(launch.grid[axis]);
    block[axis] = std::to_string(launch.block[axis]);
  }
  return fmt::format("{}<<<{}, {}, {}{}>>>({})", launch.name, dim3(grid), dim3(block), launch.dynamicSharedBytes,
                     stream.empty() ? "" : ", " + stream, arguments);
}

}  // namespace loom::codegen
