#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/code/view/names.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/session/program.h"
#include "core/script/line_diff.h"

namespace loom::session {

/// What each line of a printed program refers to. Vectors "by line" are indexed from 0.
struct CodeMeaning {
  std::vector<std::vector<ir::Id>> ids;  ///< by line: the loops, blocks and buffers that the line is about
  CodeNames names;                       ///< what single words of a line stand for
  std::vector<int> foldEnds;  ///< by line: index from 0 of the last line nested in it; its own index if none is
  /// By line: sentences on what the schedule says there and the kernel does not do, or does in another way; empty for
  /// most lines. The vector has no entries if there are no such sentences.
  std::vector<std::vector<Message>> unheeded;
};

/// The TVMScript and the CUDA text of a program, line by line, with the meaning of their words and with marks on the
/// lines that differ from another program: that of the state that the user compares with (`Program::reference`), or, if
/// none is compared with (null), that of the parent state (the program before the last schedule step).
struct CodeText {
  std::vector<std::string> script, cuda;  ///< lines; `cuda` is empty if the state is no kernel
  /// The marks. Both are empty if there is no other program: for the start while no state is compared with. `cudaDiff`
  /// is also empty if the other program is no kernel.
  script::LineDiff scriptDiff, cudaDiff;
  bool otherHasKernel = false;  ///< whether there is another program, and it is a kernel
  CodeMeaning scriptMeaning, cudaMeaning;
};

/// Makes the texts of a program, with marks against its parent state; `Program::reference` isn't looked at. `nest` is
/// the program's loop nest; `parentScript` and `parent` are the texts of its parent state (`parent` has a `problem` if
/// that is no kernel), both null for the start.
CodeText codeTextOf(const Program& program, const LoopNest& nest, const script::Script* parentScript,
                    const document::KernelText* parent);
/// Returns the texts that were made along with a program, with marks against `Program::reference` if that isn't null,
/// else against its parent state. The reference is valid as long as the program. The texts are empty if the session was
/// given no `ViewMakers` (functions that make the data of panels whenever a program is made).
const CodeText& textsOf(const Program& program);

/// Returns, for each line of a script, of which there are `lines`, the ids that the line is about: the id of a loop or
/// block in the line of its header, and the id of a buffer in every line that uses it.
std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines);
/// Returns the ids that line `line` (counted from 1) of the CUDA text comes from: its innermost loop and its block.
/// Empty if the line comes from neither.
std::vector<ir::Id> idsOfCudaLine(const document::KernelText& kernel, int line);

/// Distributes remarks (what the schedule says and the kernel doesn't do) over the lines of a text, and returns the
/// sentences by line. A remark on a loop or block goes to the line about that loop or block that contains what the
/// sentence quotes (the key of an annotation), or else to the first line about it; it is dropped if no line is about
/// it. The result has no entries if there are no remarks. `ids` is by line, as in CodeMeaning.
std::vector<std::vector<Message>> unheededByLine(const std::vector<device::Remark>& remarks,
                                                 const std::vector<std::string>& lines,
                                                 const std::vector<std::vector<ir::Id>>& ids);

}  // namespace loom::session
