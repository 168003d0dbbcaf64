// Writes stores of vectors as CUDA C++.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/codegen/expression.h"
#include "core/codegen/names.h"
#include "core/device/program.h"

namespace loom::codegen {

// What a kernel's text says of its buffers, and its printer and names. All that it refers to must outlive it.
struct VectorText {
  ExpressionPrinter& print;
  Names& names;
  // Returns the C++ address of an element of a buffer.
  std::function<std::string(const device::Buffer&, const device::Expr&)> address;
  // Returns the C++ name of a buffer.
  std::function<std::string(const device::Buffer&)> name;
  // Returns whether the kernel writes the buffer; others are read through pointers to const.
  std::function<bool(const device::Buffer&)> written;
};

// A line of C++, `depth` levels further in than the statement that it belongs to.
struct VectorLine {
  int depth = 0;
  std::string text;
};
// Returns the C++ expression that loads what `pointer`, a C++ expression, points to in global memory, and that the
// compiler doesn't move behind a barrier that comes after it (StoreNode::loadsHere). Memory that the kernel doesn't
// write is else read by ld.global.nc, which knows no order: the compiler makes rounds of a few loads and their stores
// behind the barrier, each of which waits for global memory. __ldca is a volatile asm of its own, and reads through L1
// as other loads do.
inline std::string loadedHere(const std::string& pointer) { return "__ldca(" + pointer + ")"; }

// Returns the lines that store a value of several lanes, after the pass `flatten`: one assignment where a vector is
// copied or two halves are computed at once, else a block that computes the lanes between vector loads and one store.
std::vector<VectorLine> vectorStoreLines(const device::StoreNode& n, const VectorText& text);

}  // namespace loom::codegen
