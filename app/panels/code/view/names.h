#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/script/printer.h"

namespace loom::session {

/// A loop, an axis of a block or a buffer that words of a code name.
struct CodeName {
  enum class What : std::uint8_t { kLoop, kAxis, kBuffer };
  What what = What::kLoop;
  std::string name;
  ir::Id id;     ///< of the loop or buffer; of the block whose axis it is
  int row = -1;  ///< loop: of the LoopNest

  // Axis.
  ir::IterType iter = ir::IterType::Spatial;
  std::string block;         ///< whose axis it is
  std::int64_t extent = -1;  ///< −1: not constant
  std::string value;         ///< in terms of the loops around, as printed

  // Buffer.
  std::string scope, dtype;
  std::vector<std::string> shape;     ///< elements by dimension, as printed; of a fragment as the kernel counts them
  std::vector<std::int64_t> strides;  ///< elements; empty: dense
  double bytes = -1;                  ///< of all that; negative: can't be told
};

/// A word of a line: bytes [from, to).
struct CodeWord {
  int from = 0, to = 0;
  int name = 0;  ///< index into CodeNames::names
};

/// What the words of a code name. A word stands for the innermost definition around its line.
struct CodeNames {
  std::vector<CodeName> names;
  std::vector<std::vector<CodeWord>> words;  ///< by line, from left to right

  const CodeName* at(int line, int column) const;  ///< null: no such word
};

/// Returns the names of a script. Of the module's other functions only the loops are known.
CodeNames namesOfScript(const script::Script& script, const std::vector<std::string>& lines,
                        const ir::Function& function, const LoopNest& nest);
/// Returns the names of a CUDA text. Threads (bx, ty, …) stand for the innermost loop that is bound to them. Empty if
/// there is no kernel.
CodeNames namesOfCuda(const document::KernelText& kernel, const std::vector<std::string>& lines, const LoopNest& nest);

/// Returns, by line, the last line of what is nested in it by indentation, closing brace included; the line itself if
/// nothing is.
std::vector<int> foldEnds(const std::vector<std::string>& lines);

}  // namespace loom::session
