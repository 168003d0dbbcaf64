#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/code/view/names.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/session/program.h"
#include "core/script/line_diff.h"

namespace loom::session {

/// What the lines of a code are about.
struct CodeMeaning {
  std::vector<std::vector<ir::Id>> ids;  ///< by line: loops, blocks and buffers
  CodeNames names;
  std::vector<int> foldEnds;  ///< as `foldEnds` gives them
  /// By line, what it says and the kernel doesn't do, as English sentences; empty: nothing of the kind.
  std::vector<std::vector<Message>> unheeded;
};

/// The texts of a program, line by line, with the meaning of their words and what differs from the parent's texts or
/// from those of the program that they are marked against.
struct CodeText {
  std::vector<std::string> script, cuda;  ///< lines; no CUDA lines where there is no kernel
  script::LineDiff scriptDiff, cudaDiff;  ///< empty marks for the start
  bool otherHasKernel = false;            ///< the program that the marks are against is a kernel
  CodeMeaning scriptMeaning, cudaMeaning;
};

/// Returns the texts of a program. `parentScript` and `parent` are the texts of its parent state, null for the start.
CodeText codeTextOf(const Program& program, const LoopNest& nest, const script::Script* parentScript,
                    const document::KernelText* parent);
/// Returns the view that was made along with a program; empty if the session was given no `ViewMakers`.
const CodeText& textsOf(const Program& program);

/// Returns the functions that make views of several panels along with programs and models: loop nests, code, listings,
/// memory and performance.
ViewMakers viewMakers();

/// What each line of a script names: loops and blocks in their headers, buffers where they are used.
std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines);
/// What line `line`, from 1, of the CUDA text is about: its innermost loop and its block.
std::vector<ir::Id> idsOfCudaLine(const document::KernelText& kernel, int line);

/// By line of a text, the sentences that belong there: of each loop or block the line that names what the sentence
/// quotes (an annotation's key), else the first that is about it. `ids`: by line, as in CodeMeaning.
std::vector<std::vector<Message>> unheededByLine(const std::vector<device::Remark>& remarks,
                                                 const std::vector<std::string>& lines,
                                                 const std::vector<std::vector<ir::Id>>& ids);

}  // namespace loom::session
