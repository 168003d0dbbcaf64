// The CUDA C++ text of a device program (the kernels to which a scheduled program is lowered), and what a host must
// know to launch its kernels. The symbols of a program are sizes, strides and scalar parameters that have no value
// before a launch.
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
  std::vector<ir::Id> ids;  // loops and blocks of the scheduled program, the innermost last; of the line that declares
                            // a buffer, that buffer
  ir::Id block;             // the innermost block around the line that has a name or annotations; Id{}: none
  // The number of the device program's statement that the line prints (device::StmtNode::number); the closing line of a
  // loop or condition has that of the loop or condition. -1 for lines of no statement: a signature, a declaration, a
  // preamble.
  int statement = -1;
};

// A scalar that a launch passes by value.
struct ScalarArgument {
  std::string name;
  ir::DType dtype;
  double value = 0;  // a whole number for integer types; 0 while the program's symbols have no values
  friend bool operator==(const ScalarArgument&, const ScalarArgument&) = default;
};

// A tensor map: the description of a matrix in global memory that the host encodes for the copy engine, or TMA
// (cuTensorMapEncodeTiled), and passes to the kernel by value.
struct TensorMapArgument {
  std::string name;
  int buffer = 0;  // index into Source::buffers; the matrix begins at GlobalBuffer::start
  // By dimension, the outermost first: elements; elements from one index to the next, the innermost's 1 included;
  // elements of a box.
  std::vector<std::int64_t> extents, strides, box;
  int swizzle = 0;  // width in bytes of the swizzle of the box in shared memory: 32, 64 or 128; 0: none
  friend bool operator==(const TensorMapArgument&, const TensorMapArgument&) = default;
};

// What the host must know to launch one kernel.
struct KernelLaunch {
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, and threads of a block, along x, y, z
  std::int64_t dynamicSharedBytes = 0;                        // dynamic shared memory of a block, in bytes
  std::vector<int> arguments;  // the kernel's first arguments: indices into Source::buffers; `scalars` follow them
  bool singleThread = false;   // whether the program binds no thread, so that one thread runs everything
  std::vector<ScalarArgument> scalars;
  std::vector<TensorMapArgument> maps;  // these follow `scalars`
  // The blocks of the grid along x, y, z, as expressions in the program's symbols, for axes that depend on them: `grid`
  // has 0 there. Null for other axes. All are null in launches that were sent to another process.
  std::array<ir::Expr, 3> gridExtents;
};

// A buffer in global memory that the host allocates. A buffer of integers of less than a byte is described as the uint8
// bytes in which they are packed.
struct GlobalBuffer {
  std::string name;
  ir::DType dtype;
  std::vector<std::int64_t> shape;  // elements along each dimension; 0 where they depend on the program's symbols
  // `strides` are the elements from one index of a dimension to the next, by dimension, and `start` is the number of
  // elements before the first one. Empty and 0 if the buffer is stored row by row without gaps.
  std::vector<std::int64_t> strides;
  std::int64_t start = 0;
  bool read = false, written = false;  // whether any kernel reads, or writes, the buffer
  bool temporary = false;              // whether it only passes values between kernels
  // The range of whole numbers, both ends included, from which the buffer is filled with test data; with `ascending`
  // the data are sorted. Buffers whose elements are used as indices get one from exec/input_ranges.h, so that the
  // indices stay in bounds; `generate` sets none.
  struct Values {
    std::int64_t low = 0, high = 0;
    bool ascending = false;
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::optional<Values> values;  // nothing: any values will do
  ir::Expr count;                // number of elements as an expression in the program's symbols; null: it is constant
  // Return the size of the buffer's memory in elements and in bytes, gaps and the elements before `start` included; 0
  // while the shape depends on the program's symbols.
  std::int64_t elements() const;
  std::int64_t bytes() const { return elements() * dtype.bytes(); }
};

// The CUDA C++ text of a program with what a host needs to launch it.
struct Source {
  std::string text;
  std::vector<LineOrigin> lines;       // one for each line of `text`, from index 0
  std::vector<KernelLaunch> launches;  // in the order of execution
  std::vector<GlobalBuffer> buffers;   // the function's parameters in their order, then temporaries
  std::vector<ir::Symbol> symbols;     // the program's symbols; empty if all sizes are constant
  device::Requirement needs;           // what the program's operations require of the GPU
  // Of the binary digits behind the leading one of a factor, the least number that a product of the program keeps, such
  // as 10 for TF32 products; 0 if all products keep all digits.
  int factorDigits = 0;
};

// Options of printing CUDA.
struct Options {
  // A function that returns which schedule step made the block with an id, for the comment above it: "cache_read, step
  // 21"; an empty text for no comment. If it is null, there are no such comments.
  std::function<std::string(ir::Id)> describe;
};

// Prints a program as CUDA C++. The program must not be a draft: one made by lower::draft for models and views, which
// accesses tensor-core fragments element by element, as no GPU can; its text would be wrong.
Source generate(const device::Program& program, const Options& options = {});

// Returns the first line of the text that prints the statement, counted from 1; 0 if no line does or `statement` is -1.
int lineOf(const Source& source, int statement);

// Returns the source with the launches, buffer sizes and scalars of `instance`, the source's program with values for
// its symbols (lower::instance). The text is the same, and the result has no symbols.
Source launchedAs(Source source, const device::Program& instance);

// Returns the C++ text of an expression in a program's symbols, for the host. Each symbol is written as the identifier
// that `identifier` (names.h) makes of its name.
std::string symbolText(const ir::Expr& e, const std::vector<ir::Symbol>& symbols);

// Returns a CUDA text without blank lines and without lines that are only a `//` comment; the result identifies a
// kernel in caches and databases. Comments at the end of a line of code stay.
std::string withoutComments(const std::string& source);

}  // namespace loom::codegen
