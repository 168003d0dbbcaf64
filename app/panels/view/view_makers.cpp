#include "app/panels/view/view_makers.h"

#include <fmt/format.h>

#include <map>

#include "app/panels/code/view/code.h"
#include "app/panels/code/view/listing.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/playback/view/role_lanes.h"

namespace loom::session {
namespace {

// A line for each row: all that makes it what it is, annotations included.
std::vector<std::string> linesOf(const Program& program) {
  const std::vector<std::string>& script = textsOf(program).script;
  std::map<ir::Id, std::string> notes;
  for (const script::Span& span : program.script->spans) {
    const bool one = span.line0 == span.line1 && span.line0 < int(script.size());
    if (span.what != script::Span::What::Annotation || !one) continue;
    notes[span.id] +=
        " " + script[std::size_t(span.line0)].substr(std::size_t(span.col0), std::size_t(span.col1 - span.col0));
  }
  std::vector<std::string> lines;
  for (const NestRow& row : nestOf(program).rows) {
    const bool init = row.kind == NestRow::Kind::kInit;
    lines.push_back(fmt::format("{} {} {} {} {}{}", int(row.kind), row.name, row.extent, int(row.axis),
                                int(row.component), init ? "" : notes[row.id]));
  }
  return lines;
}

// What differs from the program that it is marked against, told by name, extent and axis: states of two branches share
// no ids.
LoopNest markedNest(const Program& program) {
  LoopNest nest = nestOf(*program.unmarked);
  const script::LineDiff rows = script::diffLines(linesOf(*program.reference), linesOf(*program.unmarked));
  nest.removed.clear();
  for (std::size_t i = 0; i < nest.rows.size(); ++i) {
    const script::Mark mark = i < rows.marks.size() ? rows.marks[i] : script::Mark::kSame;
    nest.rows[i].change = mark == script::Mark::kAdded     ? NestChange::kNew
                          : mark == script::Mark::kChanged ? NestChange::kModified
                                                           : NestChange::kNone;
  }
  const std::vector<int>& before = rows.before;
  for (std::size_t i = 0; i < nest.rows.size() && i < before.size(); ++i) {
    if (before[i] < 0) continue;
    NestRow& now = nest.rows[i];
    const NestRow& was = nestOf(*program.reference).rows[std::size_t(before[i])];
    // What merely stands in its place is another thing.
    if (was.kind == now.kind && was.name == now.name)
      now.was = PreviousFigures{was.extent, was.runs, was.flops, was.bytes};
  }
  return nest;
}

CodeText markedCode(const Program& program) {
  CodeText view = textsOf(*program.unmarked);
  const CodeText& other = textsOf(*program.reference);
  view.scriptDiff = script::diffLines(other.script, view.script);
  view.otherHasKernel = !program.reference->kernel.problem;
  view.cudaDiff = view.otherHasKernel ? script::diffLines(other.cuda, view.cuda) : script::LineDiff{};
  return view;
}

LoopNest nestWithRemarks(const Program& program, const ProgramInput& input) {
  LoopNest nest = loopNestOf(input.states, &program.kernel);
  for (const device::Remark& remark : program.unheeded)
    for (ir::Id id : remark.subjects)
      if (const int row = nest.find(id); row >= 0) nest.rows[std::size_t(row)].unheeded.push_back(remark.text);
  return nest;
}

}  // namespace

ViewMakers viewMakers() {
  ViewMakers makers;
  makers.ofProgram = [](const Program& program, const ProgramInput& input, const document::KernelText* parent) {
    const LoopNest& nest = program.views.get<LoopNest>([&] { return nestWithRemarks(program, input); });
    const script::Script* parentScript = parent ? input.parentScript.get() : nullptr;
    program.views.get<CodeText>([&] { return codeTextOf(program, nest, parentScript, parent); });
  };
  makers.ofMarkedProgram = [](const Program& program) {
    program.views.get<LoopNest>([&] { return markedNest(program); });
    program.views.get<CodeText>([&] { return markedCode(program); });
  };
  makers.ofModel = [](const StateModel& model) {
    performanceOf(model);  // and of the memory
    listingOf(model);
    roleLanesOf(model);
  };
  return makers;
}

}  // namespace loom::session
