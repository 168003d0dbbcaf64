#include "core/document/stall_view.h"

#include <algorithm>

#include "core/codegen/line_creator.h"
#include "core/script/line_diff.h"

namespace loom::document {

namespace {

std::string unindented(const std::vector<std::string>& source, int line) {
  if (line < 1 || line > int(source.size())) return "";
  const std::string& text = source[std::size_t(line - 1)];
  const std::size_t from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from);
}

}  // namespace

Result<StallView> stallView(const profile::StallProfile& profile, const sass::Kernel& sass, const std::string& source) {
  if (auto same = profile::matches(profile, sass); !same) return Failure(same.error());
  StallView view;
  view.total = profile.total();
  for (std::size_t n = 0; n < sass.instructions.size(); ++n)
    view.instructions.push_back(profile.instructions[n].stalls);
  const std::vector<std::string> text = script::splitLines(source);
  for (profile::LineStalls& line : profile::stallsByLine(profile, sass)) {
    if (line.stalls.samples == 0) continue;
    const Message madeBy = codegen::creatorOfLine(text, line.line);
    auto step = std::find_if(view.steps.begin(), view.steps.end(), [&](const auto& s) { return s.madeBy == madeBy; });
    if (step == view.steps.end()) step = view.steps.insert(step, {madeBy, {}});
    step->stalls.add(line.stalls);
    view.lines.push_back({line, unindented(text, line.line), madeBy});
  }
  std::stable_sort(view.steps.begin(), view.steps.end(),
                   [](const auto& a, const auto& b) { return a.stalls.samples > b.stalls.samples; });
  for (profile::LoopStalls& loop : profile::stallsByLoop(profile, sass)) {
    if (loop.with.samples == 0) continue;
    StalledLoop made{loop, 0, 0, "", {}};
    if (loop.loop >= 0) {
      const sass::Loop& of = sass.loops[std::size_t(loop.loop)];
      for (int parent = of.parent; parent >= 0; parent = sass.loops[std::size_t(parent)].parent) ++made.depth;
      made.line = of.line;
      made.text = unindented(text, of.line);
      made.madeBy = codegen::creatorOfLine(text, of.line);
    }
    view.loops.push_back(std::move(made));
  }
  return view;
}

StallResult knownStalls(StateStalls file, const sass::Kernel& sass, const std::string& source) {
  StallResult known;
  if (!file || file->states.empty()) return known;
  const auto& kernels = file->states.front().kernels;
  auto of = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.kernel == sass.name; });
  if (of == kernels.end()) return known;
  if (auto view = stallView(*of, sass, source)) {
    known.view = std::move(*view);
  } else {
    known.problem = view.error();
  }
  known.file = std::move(file);
  return known;
}

}  // namespace loom::document
