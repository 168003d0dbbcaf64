#include "app/panels/code/view/issue_columns.h"

#include <algorithm>

#include "core/codegen/line_creator.h"
#include "core/sass/barriers.h"
#include "core/sass/liveness.h"
#include "core/script/line_diff.h"

namespace loom::session {

namespace {

Error whyNoControl(const sass::Kernel& sass) {
  if (sass.architecture > 0 && !sass::hasIssueControl(sass.architecture))
    return fail("NoControl", message("the layout of sm_{}'s control bits isn't known", sass.architecture)).value();
  return fail("NoControl", message("the disassembly has no encodings")).value();
}

}  // namespace

IssueColumns issueColumnsOf(const sass::Kernel& sass, const std::vector<int>& lineOf, int lines) {
  IssueColumns margin;
  const auto size = std::size_t(lines);
  const auto& code = sass.instructions;
  if (auto states = sass::barrierStates(sass)) {
    margin.control.resize(size);
    margin.pending.resize(size);
    margin.waitsFor.resize(size);
    for (std::size_t n = 0; n < code.size(); ++n) {
      const auto line = std::size_t(lineOf[n]);
      margin.control[line] = code[n].control;
      margin.pending[line] = (*states)[n].pending;
      // What is outstanding runs on through the label before the instruction.
      if (line > 0 && !margin.control[line - 1]) margin.pending[line - 1] = (*states)[n].pending;
      for (int setter : (*states)[n].waitsFor) margin.waitsFor[line].push_back(lineOf[std::size_t(setter)]);
    }
  } else {
    margin.noControl = states.error().code == "NoControl" ? whyNoControl(sass) : states.error();
  }
  if (auto live = sass::liveRegisters(sass)) {
    margin.alive.assign(size, -1);
    for (std::size_t n = 0; n < code.size(); ++n) margin.alive[std::size_t(lineOf[n])] = live->alive[n];
    margin.peak = live->peak;
    margin.allotments = live->allotments;
    if (live->peakAt >= 0) margin.peakLine = lineOf[std::size_t(live->peakAt)];
  } else {
    margin.noAlive = live.error();
  }
  return margin;
}

HotLoopIteration hotLoopIterationOf(const sass::Kernel& sass, int loop, const std::string& source) {
  HotLoopIteration hot;
  hot.iteration = sass::loopIteration(sass, loop);
  const std::vector<std::string> lines = script::splitLines(source);
  for (const sass::LoopShare& s : hot.iteration.lines) hot.madeBy.push_back(codegen::creatorOfLine(lines, s.line));
  return hot;
}

}  // namespace loom::session
