#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/script/printer.h"

namespace loom::session {

/// A loop, an axis of a block (a TVMScript block iterator) or a buffer that words of a text of code name.
struct CodeName {
  enum class What : std::uint8_t { kLoop, kAxis, kBuffer };
  What what = What::kLoop;
  std::string name;  ///< the name as the text has it; of a loop in CUDA text, the name that TVMScript has
  ir::Id id;         ///< id of the loop or buffer; for an axis, id of its block
  int row = -1;      ///< for a loop: its row in the LoopNest; −1 for others, and if the nest lacks the loop

  // Only of an axis.
  ir::IterType iter = ir::IterType::Spatial;
  std::string block;         ///< name of the block that has the axis
  std::int64_t extent = -1;  ///< length of the axis in iterations; −1: not constant
  std::string value;         ///< the expression in the loop variables that the axis is bound to, as printed

  // Only of a buffer.
  std::string scope, dtype;           ///< storage scope ("shared") and element type ("float16"), as in TVMScript
  std::vector<std::string> shape;     ///< elements by dimension, as printed; of what a kernel allocates without
                                      ///< dimensions, one entry: the number of elements
  std::vector<std::int64_t> strides;  ///< of an allocation with padding in CUDA text: elements between neighbours, by
                                      ///< dimension; empty for others
  /// Bytes of the buffer; in CUDA text, bytes for one block in shared memory, for one thread in registers and local
  /// memory. Negative: a dimension isn't constant, or, in CUDA text, the buffer holds fragments.
  double bytes = -1;
};

/// A word of a line that names something.
struct CodeWord {
  int from = 0, to = 0;  ///< offsets in the line, in bytes: `from` is the word's first byte, `to` the one behind it
  int name = 0;          ///< index into CodeNames::names
};

/// The loops, axes and buffers that the words of a text of code name. Where a name is defined more than once, a word
/// refers to the innermost definition whose scope contains the word's line.
struct CodeNames {
  std::vector<CodeName> names;
  std::vector<std::vector<CodeWord>> words;  ///< by line, from left to right; may lack lines in which nothing is named

  /// Returns what the word at byte `column` of line `line` names; both count from 0. The pointer is into `names`. Null
  /// if no such word is there.
  const CodeName* at(int line, int column) const;
};

/// Returns the names in a TVMScript text. `lines` are the lines of `script`, and `nest` is the loop nest of `function`,
/// which may be null. In other functions of the module, only loops are recognized; axes and buffers are recognized in
/// `function` alone.
CodeNames namesOfScript(const script::Script& script, const std::vector<std::string>& lines,
                        const ir::Function& function, const LoopNest& nest);
/// Returns the names in the CUDA text of a kernel, whose lines are `lines`; `nest` is the loop nest of its scheduled
/// function (KernelText::function). The words bx, ty, … (blockIdx.x, threadIdx.y, …) refer to the innermost loop around
/// the line that is bound to that axis. Nothing is named if `kernel` has no lowered program.
CodeNames namesOfCuda(const document::KernelText& kernel, const std::vector<std::string>& lines, const LoopNest& nest);

/// Returns, for each line, the index of the last line that is nested in it, that is, indented further; blank lines end
/// nothing, and a closing brace behind these is included. A line with nothing nested has its own index. Indices count
/// from 0.
std::vector<int> foldEnds(const std::vector<std::string>& lines);

}  // namespace loom::session
