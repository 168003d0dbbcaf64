// CUDA C++ of a device program.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/ir/id.h"

namespace loom::codegen {

// Where a line of the source comes from: loops and blocks of the scheduled program, the innermost last.
struct LineOrigin {
  std::vector<ir::Id> ids;
  ir::Id block;  // the innermost named block around the line, or none
};

// A number that a launch passes by value.
struct ScalarArgument {
  std::string name;
  ir::DType dtype;
  double value = 0;  // whole for integers; 0 until the program is taken at numbers
  friend bool operator==(const ScalarArgument&, const ScalarArgument&) = default;
};

// What the host must know to launch one kernel.
struct KernelLaunch {
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t dynamicSharedBytes = 0;
  // Arguments in order: index into Source::buffers; `scalars` follow.
  std::vector<int> arguments;
  bool singleThread = false;
  std::vector<ScalarArgument> scalars;
  // Over the program's symbols, where the grid depends on them; else null. Not known to whoever is told of a launch by
  // the worker's protocol.
  std::array<ir::Expr, 3> gridExtents;
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
  // Whole numbers that its elements are drawn from where it is filled for a run, both included; they never decrease
  // where `ascending`. What indexes must stay within what it indexes: exec/input_ranges.h. None: any will do.
  struct Values {
    std::int64_t low = 0, high = 0;
    bool ascending = false;
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::optional<Values> values;
  ir::Expr count;  // of elements, over the program's symbols where it depends on them; else null
  // That its memory has, with those between the elements of the shape.
  std::int64_t elements() const;
  std::int64_t bytes() const { return elements() * dtype.bytes(); }
};

struct Source {
  std::string text;
  std::vector<LineOrigin> lines;       // one per line of text
  std::vector<KernelLaunch> launches;  // in launch order
  std::vector<GlobalBuffer> buffers;
  std::vector<ir::Symbol> symbols;  // of the program
};

struct Options {
  // What made a block, for its comment: "cache_read, step 21". Empty for none.
  std::function<std::string(ir::Id)> describe;
};

Source generate(const device::Program& program, const Options& options = {});

// The same text, launched as `instance` says, which is the source's program at numbers (lower::instance): grids, sizes
// and scalars have values.
Source launchedAs(Source source, const device::Program& instance);

// An expression over a program's symbols as C++, each symbol under its identifier.
std::string symbolText(const ir::Expr& e, const std::vector<ir::Symbol>& symbols);

// The text without comments and blank lines: what identifies a kernel in caches and databases.
std::string withoutComments(const std::string& source);

}  // namespace loom::codegen
