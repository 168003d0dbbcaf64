// CUDA C++ of a device program.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/ir/id.h"
#include "core/lower/device.h"

namespace loom::codegen {

// Where a line of the source comes from: loops and blocks of the scheduled program, the innermost last.
struct LineOrigin {
  std::vector<ir::Id> ids;
  ir::Id block;  // the innermost named block around the line, or none
};

// What the host must know to launch one kernel.
struct KernelLaunch {
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t dynamicSharedBytes = 0;
  // Arguments in order: index into Source::buffers.
  std::vector<int> arguments;
  bool singleThread = false;
};

// Global memory that the host provides. Parameters first, in the function's order; then temporaries.
struct GlobalBuffer {
  std::string name;
  ir::DType dtype;
  std::vector<std::int64_t> shape;
  // Where it isn't row by row: elements from one index of a dimension to the next, and before the first element.
  std::vector<std::int64_t> strides;
  std::int64_t start = 0;
  bool read = false, written = false;  // by any kernel
  bool temporary = false;
  // That its memory has, with those between the elements of the shape.
  std::int64_t elements() const;
  std::int64_t bytes() const { return elements() * dtype.bytes(); }
};

struct Source {
  std::string text;
  std::vector<LineOrigin> lines;       // one per line of text
  std::vector<KernelLaunch> launches;  // in launch order
  std::vector<GlobalBuffer> buffers;
};

struct Options {
  // What made a block, for its comment: "cache_read, step 21". Empty for none.
  std::function<std::string(ir::Id)> describe;
};

Source generate(const device::Program& program, const Options& options = {});

// The text without comments and blank lines: what identifies a kernel in caches and databases.
std::string withoutComments(const std::string& source);

}  // namespace loom::codegen
