// The CUDA C++ text of a device program, and what a host must know to launch its kernels.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/device/requirement.h"
#include "core/ir/id.h"

namespace loom::codegen {

// Where a line of the text comes from.
struct LineOrigin {
  std::vector<ir::Id> ids;  // loops and blocks of the scheduled program, the innermost last
  ir::Id block;             // the innermost named block around the line, or none
  // The statement of the device program that the line prints (device::StmtNode::number): of a loop's or condition's
  // last line, too. -1 for a line that prints none: a signature, a declaration, a preamble.
  int statement = -1;
};

// A scalar that a launch passes by value.
struct ScalarArgument {
  std::string name;
  ir::DType dtype;
  double value = 0;  // a whole number for integer types; 0 while the program's symbols have no values
  friend bool operator==(const ScalarArgument&, const ScalarArgument&) = default;
};

// The map of a matrix in global memory that the host makes for the copy engine (cuTensorMapEncodeTiled) and passes to
// the kernel by value.
struct TensorMapArgument {
  std::string name;
  int buffer = 0;  // index into Source::buffers; the matrix begins at GlobalBuffer::start
  std::vector<std::int64_t> extents, strides, box;  // elements along each dimension, the outermost first
  int swizzle = 0;                                  // bytes of a line of the box in shared memory: 0, 32, 64, 128
  friend bool operator==(const TensorMapArgument&, const TensorMapArgument&) = default;
};

// What the host must know to launch one kernel.
struct KernelLaunch {
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, and threads of a block, along x, y, z
  std::int64_t dynamicSharedBytes = 0;                        // of a block
  std::vector<int> arguments;  // indices into Source::buffers, in the order of the arguments; `scalars` follow them
  bool singleThread = false;   // whether the program binds no thread, so that one thread runs everything
  std::vector<ScalarArgument> scalars;
  std::vector<TensorMapArgument> maps;  // these follow `scalars`
  // The grid as expressions in the program's symbols; null along axes that don't depend on them. Launches that came
  // through the worker's protocol don't have it.
  std::array<ir::Expr, 3> gridExtents;
};

// A buffer in global memory that the host allocates.
struct GlobalBuffer {
  std::string name;
  ir::DType dtype;
  std::vector<std::int64_t> shape;  // elements along each dimension
  // Elements from one index of a dimension to the next, and before the first element. Empty and 0 if the buffer is
  // stored row by row without gaps.
  std::vector<std::int64_t> strides;
  std::int64_t start = 0;
  bool read = false, written = false;  // by any kernel
  bool temporary = false;              // whether it only passes values between kernels
  // The range of whole numbers, both ends included, to fill the buffer from; sorted ascending with `ascending`. Buffers
  // that are used as indices have one, so that the indices stay in bounds (exec/input_ranges.h).
  struct Values {
    std::int64_t low = 0, high = 0;
    bool ascending = false;
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::optional<Values> values;  // nothing: any values will do
  ir::Expr count;                // number of elements as an expression in the program's symbols; null: it is constant
  // Return the size of its memory, gaps included.
  std::int64_t elements() const;
  std::int64_t bytes() const { return elements() * dtype.bytes(); }
};

// A printed program.
struct Source {
  std::string text;
  std::vector<LineOrigin> lines;       // one for each line of `text`
  std::vector<KernelLaunch> launches;  // in the order of execution
  std::vector<GlobalBuffer> buffers;   // the function's parameters in their order, then temporaries
  std::vector<ir::Symbol> symbols;     // of the program; empty if all sizes are constant
  device::Requirement needs;           // of the GPU, because of the program's operations
  int factorDigits = 0;                // that products keep of their factors, as device::factorDigitsOf returns it
};

// Options of printing CUDA.
struct Options {
  // Returns what made a block, for the comment above it: "cache_read, step 21"; empty for no comment. May be an empty
  // function.
  std::function<std::string(ir::Id)> describe;
};

// Prints a program as CUDA C++. The program must not be a draft (lower::draft).
Source generate(const device::Program& program, const Options& options = {});

// Returns the first line of the text that prints the statement, counted from 1; 0 if no line does or `statement` is -1.
int lineOf(const Source& source, int statement);

// Returns the source with the launches, sizes and scalars of `instance`, which is the source's program with values for
// its symbols (lower::instance). The text stays.
Source launchedAs(Source source, const device::Program& instance);

// Returns an expression in a program's symbols as C++, with each symbol under its identifier.
std::string symbolText(const ir::Expr& e, const std::vector<ir::Symbol>& symbols);

// Returns a CUDA text without comments and blank lines, which identifies a kernel in caches and databases.
std::string withoutComments(const std::string& source);

}  // namespace loom::codegen
