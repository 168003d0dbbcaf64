#include "core/notebook/notebook.h"

#include <algorithm>

#include "core/notebook/cells.h"
#include "core/notebook/interpreter.h"
#include "core/notebook/intrinsic_file_text.h"

namespace loom::notebook {

void Interpreter::give(const schedule::State& state) {
  auto given = std::make_shared<Schedule>(Schedule{0, state, 0x40000000, {}});
  isGiven_ = true;
  read_.runs.push_back({});
  runPrograms_.push_back(nullptr);
  schedules_.push_back(given);
  set("sch", {given});
}

Read Interpreter::take() {
  // What the text is about: what it schedules, the last of several; where nothing is scheduled, the last that it
  // defines.
  std::shared_ptr<ScriptedModule> about;
  for (std::size_t i = 0; i < read_.runs.size(); ++i) {
    if (!read_.runs[i].lines.empty() || !about) about = runPrograms_[i];
  }
  if (!about && !isGiven_) {
    auto last = std::find_if(programs_.rbegin(), programs_.rend(), [](const auto& p) { return !p->used; });
    if (last == programs_.rend()) last = programs_.rbegin();
    if (last != programs_.rend()) about = *last;
  }
  if (about) {
    try {
      read_.module = moduleOf(*about);
    } catch (Raised& raised) {
      if (!read_.refusal) end(raised);
    }
  }
  // Runs of other programs go; the others' numbers move up.
  std::vector<int> kept(read_.runs.size(), -1);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < read_.runs.size(); ++i) {
    if (runPrograms_[i] != about && !isGiven_) {
      const int line = runPrograms_[i] ? runPrograms_[i]->definition->line : 1;
      if (!read_.runs[i].lines.empty()) passed_.add(message("the schedule of {}", runPrograms_[i]->name), line, line);
      continue;
    }
    Run run = std::move(read_.runs[i]);
    if (run.from >= 0) run.from = kept[std::size_t(run.from)];
    kept[i] = int(runs.size());
    runs.push_back(std::move(run));
  }
  read_.runs = std::move(runs);
  for (const auto& p : programs_) {
    if (p == about || p->used) continue;
    passed_.add(message("programs that aren't scheduled"), p->definition->line, p->definition->lastLine);
  }
  for (Message& sentence : passed_.sentences()) read_.remarks.push_back(std::move(sentence));
  return std::move(read_);
}

namespace {

Result<Read> readWith(std::string_view text, std::string_view file, const schedule::Environment& environment,
                      const schedule::State* given) {
  auto cells = codeOf(text, file);
  if (!cells) return Failure(cells.error());
  script::SourceText source{cells->code, file};
  auto statements = script::parseStatements(source);
  if (!statements) return Failure(statements.error());
  Interpreter interpreter(source, environment);
  if (given) interpreter.give(*given);
  interpreter.passText(cells->others);
  interpreter.run(*statements);
  interpreter.callUncalled(*statements);
  return interpreter.take();
}

// What texts for an older TVM have in place of a program that is read here, and what to say of it.
struct OldSpelling {
  std::string_view spelling;
  Message said;
};
std::vector<OldSpelling> oldSpellings() {
  const Message tensorExpressions = message(
      "a schedule of TVM's tensor expressions (te) isn't read; expected TensorIR: what tvm.lower(…) or "
      "te.create_prim_func(…).show() prints");
  return {{"te.create_schedule(", tensorExpressions},
          {"tvm.create_schedule(", tensorExpressions},
          {"@tvm.script.tir",
           message("@tvm.script.tir is TVM of before 0.8; since then a function is decorated with @T.prim_func")}};
}

// Whether the name or bracket that ends at `end` goes on no further.
bool endsAt(std::string_view text, std::size_t end) {
  return text[end - 1] == '(' || end >= text.size() || text[end] == '\n' || text[end] == '\r' || text[end] == ' ';
}

}  // namespace

void Interpreter::passText(const std::vector<int>& lines) {
  for (int line : lines) passed_.add(message("the text around the code"), line, line);
}

Result<Read> readText(std::string_view text, std::string_view file, const schedule::Environment& environment) {
  auto read = readWith(text, file, environment, nullptr);
  if (!read || read->module) return read;
  for (const OldSpelling& old : oldSpellings()) {
    const auto at = text.find(old.spelling);
    if (at == std::string_view::npos || !endsAt(text, at + old.spelling.size())) continue;
    const int line = 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
    return script::SourceText{text, file}.error(line, 1, old.said);
  }
  if (read->refusal) return Failure(*read->refusal);
  return script::SourceText{text, file}.error(
      1, 1, message("expected a function decorated with @T.prim_func or a class decorated with @I.ir_module"));
}

Result<Read> readSchedule(std::string_view text, std::string_view file, const schedule::State& state,
                          const schedule::Environment& environment) {
  return readWith(text, file, environment, &state);
}

Result<intrin::Library> libraryWith(const schedule::Environment& environment,
                                    const std::vector<RegisteredIntrinsic>& intrinsics) {
  auto library = environment.intrinsics ? *environment.intrinsics : intrin::Library();
  for (const auto& i : intrinsics) {
    if (auto added = library.replace(intrinsicFileText(i), i.name); !added) return Failure(added.error());
  }
  return library;
}

bool holdsProgram(std::string_view text) {
  for (std::string_view decorator : {"prim_func", "ir_module"}) {
    for (auto at = text.find(decorator); at != std::string_view::npos; at = text.find(decorator, at + 1)) {
      const auto line = text.rfind('\n', at);
      const auto sign = text.rfind('@', at);
      if (sign != std::string_view::npos && (line == std::string_view::npos || sign > line)) return true;
    }
  }
  return false;
}

}  // namespace loom::notebook
