#include "app/panels/code/view/code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/panels/code/view/listing.h"
#include "app/panels/compare/view/figures.h"

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

CodeText codeTextOf(const Program& program, const LoopNest& nest, const script::Script* parentScript,
                    const document::KernelText* parent) {
  CodeText view;
  view.script = script::splitLines(program.script->text);
  view.cuda = script::splitLines(program.kernel.source.text);
  if (parentScript) view.scriptDiff = script::diffLines(script::splitLines(parentScript->text), view.script);
  view.otherHasKernel = parent && !parent->problem;
  if (view.otherHasKernel) view.cudaDiff = script::diffLines(script::splitLines(parent->source.text), view.cuda);
  view.scriptMeaning = {idsOfScript(*program.script, view.script.size()),
                        namesOfScript(*program.script, view.script, program.kernel.function, nest),
                        foldEnds(view.script),
                        {}};
  view.scriptMeaning.unheeded = unheededByLine(program.unheeded, view.script, view.scriptMeaning.ids);
  view.cudaMeaning = {{}, namesOfCuda(program.kernel, view.cuda, nest), foldEnds(view.cuda), {}};
  for (int line = 1; line <= int(view.cuda.size()); ++line) {
    view.cudaMeaning.ids.push_back(idsOfCudaLine(program.kernel, line));
  }
  view.cudaMeaning.unheeded = unheededByLine(program.unheeded, view.cuda, view.cudaMeaning.ids);
  return view;
}

const CodeText& textsOf(const Program& program) {
  return program.views.get<CodeText>([] { return CodeText{}; });
}

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
  };
  return makers;
}

std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines) {
  using What = script::Span::What;
  std::vector<std::vector<ir::Id>> ids(lines);
  for (const script::Span& span : script.spans) {
    const bool whole = span.what == What::Function || span.what == What::LoopBody || span.what == What::BlockBody;
    if (whole || !span.id) continue;
    for (int line = span.line0; line <= span.line1 && line < int(lines); ++line) {
      auto& here = ids[std::size_t(line)];
      if (std::find(here.begin(), here.end(), span.id) == here.end()) here.push_back(span.id);
    }
  }
  return ids;
}

std::vector<ir::Id> idsOfCudaLine(const document::KernelText& kernel, int line) {
  std::vector<ir::Id> ids;
  const auto& origins = kernel.source.lines;
  if (line < 1 || line > int(origins.size())) return ids;
  const codegen::LineOrigin& origin = origins[std::size_t(line - 1)];
  // The innermost loop is what a line is about; the loops around it would light up everything.
  if (!origin.ids.empty()) ids.push_back(origin.ids.back());
  if (origin.block && (ids.empty() || ids.back() != origin.block)) ids.push_back(origin.block);
  return ids;
}

std::vector<std::vector<Message>> unheededByLine(const std::vector<device::Remark>& remarks,
                                                 const std::vector<std::string>& lines,
                                                 const std::vector<std::vector<ir::Id>>& ids) {
  std::vector<std::vector<Message>> all(remarks.empty() ? 0 : lines.size());
  for (const device::Remark& remark : remarks) {
    // What the remark is about, where it is named in quotes: an annotation's key.
    const bool quotes = remark.text.id().find("\"{}\"") != std::string_view::npos;
    const std::string quoted = quotes ? '"' + remark.text.textAt(0) + '"' : "";
    for (ir::Id subject : remark.subjects) {
      std::size_t at = lines.size();
      for (std::size_t i = 0; i < lines.size() && i < ids.size(); ++i) {
        if (std::find(ids[i].begin(), ids[i].end(), subject) == ids[i].end()) continue;
        const bool named = !quoted.empty() && lines[i].find(quoted) != std::string::npos;
        if (at == lines.size() || named) at = i;
        if (named || quoted.empty()) break;
      }
      if (at == lines.size()) continue;
      if (std::find(all[at].begin(), all[at].end(), remark.text) == all[at].end()) all[at].push_back(remark.text);
    }
  }
  return all;
}

}  // namespace loom::session
