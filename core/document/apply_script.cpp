#include "core/document/apply_script.h"

#include <map>
#include <set>

#include "core/script/parser.h"

namespace loom::document {
namespace {

// Lines as a text; a refusal stands at the place in the script that its line comes from.
History::Applied applyLines(History& history, int at, const std::vector<script::StepCall>& lines,
                            const schedule::Environment& environment) {
  std::string text;
  for (const script::StepCall& line : lines) text += line.source + "\n";
  auto applied = history.apply(at, text, environment);
  if (!applied) {  // what was read from a script is step lines
    History::Applied none;
    none.node = at;
    none.refusal = applied.error();
    return none;
  }
  if (applied->refusal) {
    const auto line = std::size_t(applied->refusal->place.line);
    if (line >= 1 && line <= lines.size()) applied->refusal->place = lines[line - 1].place;
  }
  return std::move(*applied);
}

}  // namespace

History::Applied applyRuns(History& history, int at, const std::vector<notebook::Run>& runs,
                           const schedule::Environment& environment) {
  History::Applied last;
  last.node = at;
  // Where runs that others are copies of stood at that moment.
  std::map<std::pair<int, std::size_t>, int> nodes;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const notebook::Run& run = runs[r];
    std::set<std::size_t> cuts = {run.lines.size()};
    for (std::size_t other = r + 1; other < runs.size(); ++other) {
      if (runs[other].from == int(r)) cuts.insert(runs[other].after);
    }
    int node = run.from < 0 ? at : nodes.at({run.from, run.after});
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
      const auto first = run.lines.begin();
      auto applied =
          applyLines(history, node, {first + std::ptrdiff_t(begin), first + std::ptrdiff_t(cut)}, environment);
      node = applied.node;
      nodes[{int(r), cut}] = node;
      begin = cut;
      if (run.lines.empty()) continue;
      last.node = node;
      last.made += applied.made;
      last.refusal = std::move(applied.refusal);
      if (last.refusal) return last;
    }
  }
  history.select(last.node);
  return last;
}

Result<History::Applied> applyScript(History& history, int at, const std::string& text, const std::string& file,
                                     const schedule::Environment& environment, std::vector<Message>& remarks,
                                     std::vector<notebook::RegisteredIntrinsic>* registered) {
  if (script::parseSchedule(text, file)) return history.apply(at, text, environment, file);  // nothing around the lines
  auto read = notebook::readSchedule(text, file, history.node(at).state, environment);
  if (!read) return Failure(read.error());
  remarks.insert(remarks.end(), read->remarks.begin(), read->remarks.end());
  auto library = notebook::libraryWith(environment, read->intrinsics);
  if (!library) return Failure(library.error());
  auto applied = applyRuns(history, at, read->runs, schedule::Environment{&*library});
  if (registered) *registered = std::move(read->intrinsics);
  if (!applied.refusal) applied.refusal = std::move(read->refusal);
  return applied;
}

}  // namespace loom::document
