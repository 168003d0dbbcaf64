#include "app/panels/code/view/code.h"

#include <algorithm>

namespace loom::session {

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
