#include "core/script/script_writer.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace loom::script {

Text& Text::operator<<(const Text& other) {
  int shift = static_cast<int>(text.size());
  for (Span s : other.spans) {
    s.col0 += shift;
    s.col1 += shift;
    spans.push_back(s);
  }
  text += other.text;
  return *this;
}

void Text::mark(std::size_t start, Span::What what, ir::Id id) {
  spans.push_back({0, static_cast<int>(start), 0, static_cast<int>(text.size()), id, what});
}

ScriptWriter::ScriptWriter() {
  scopes_.emplace_back();
  scopes_.back().open = true;
}

void ScriptWriter::open(const void* node, int deeper, std::vector<std::pair<Span::What, ir::Id>> bodies) {
  Scope scope;
  scope.node = node;
  scope.headerIndent = scopes_.back().indent;
  scope.indent = scope.headerIndent + deeper;
  scope.start = lines_.size();
  scope.bodies = std::move(bodies);
  scopes_.push_back(std::move(scope));
}

void ScriptWriter::header(Text line, bool last) {
  Scope& scope = scopes_.back();
  place(lines_.size(), scope.headerIndent, std::move(line));
  if (!last) return;
  scope.open = true;
  for (Text& waiting : scope.pending) place(lines_.size(), scope.indent, std::move(waiting));
  scope.pending.clear();
}

void ScriptWriter::close() {
  Scope& scope = scopes_.back();
  for (const Defined& d : scope.defined) {
    auto it = written_.find(d.object);
    if (d.named) names_.erase(it->second);
    written_.erase(it);
  }
  if (!scope.bodies.empty()) {
    int last = static_cast<int>(lines_.size()) - 1;
    int end = lines_.back().indent * 4 + static_cast<int>(lines_.back().text.size());
    for (auto& [what, id] : scope.bodies) {
      spans_.push_back({static_cast<int>(scope.start), scope.headerIndent * 4, last, end, id, what});
    }
  }
  scopes_.pop_back();
}

void ScriptWriter::place(std::size_t at, int indent, Text line) {
  if (at < lines_.size()) {
    for (Span& s : spans_) {
      if (s.line0 >= static_cast<int>(at)) {
        ++s.line0;
        ++s.line1;
      }
    }
  }
  for (Span s : line.spans) {
    s.line0 = s.line1 = static_cast<int>(at);
    s.col0 += indent * 4;
    s.col1 += indent * 4;
    spans_.push_back(s);
  }
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), Line{indent, std::move(line.text)});
}

void ScriptWriter::emitIn(std::size_t index, Text line) {
  Scope& scope = scopes_[index];
  if (!scope.open) {
    scope.pending.push_back(std::move(line));
    return;
  }
  if (index + 1 == scopes_.size()) {
    place(lines_.size(), scope.indent, std::move(line));
    return;
  }
  place(scopes_[index + 1].start, scope.indent, std::move(line));
  for (std::size_t i = index + 1; i < scopes_.size(); ++i) ++scopes_[i].start;
}

std::size_t ScriptWriter::scopeOf(const void* node) const {
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    if (scopes_[i].node == node) return i;
  }
  return npos;
}

const std::string* ScriptWriter::find(const void* object) const {
  auto it = written_.find(object);
  return it == written_.end() ? nullptr : &it->second;
}

const std::string& ScriptWriter::define(const void* object, std::string_view hint, std::size_t scope) {
  auto [it, fresh] = written_.try_emplace(object);
  if (!fresh) return it->second;
  std::string base(hint);
  for (char& c : base) {
    if (c != '_' && !std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  std::string name = base;
  for (int i = 1; names_.contains(name); ++i) name = base + "_" + std::to_string(i);
  names_.insert(name);
  it->second = std::move(name);
  scopes_[scope].defined.push_back({object, true});
  return it->second;
}

void ScriptWriter::defineAs(const void* object, std::string text, std::size_t scope) {
  written_[object] = std::move(text);
  scopes_[scope].defined.push_back({object, false});
}

Script ScriptWriter::finish() {
  Script script;
  std::size_t size = 0;
  for (const Line& line : lines_) size += static_cast<std::size_t>(line.indent) * 4 + line.text.size() + 1;
  script.text.reserve(size);
  for (const Line& line : lines_) {
    if (!line.text.empty()) script.text.append(static_cast<std::size_t>(line.indent) * 4, ' ');
    script.text += line.text;
    script.text += '\n';
  }
  while (!script.text.empty() && std::isspace(static_cast<unsigned char>(script.text.back()))) script.text.pop_back();
  std::stable_sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
    return std::make_tuple(a.line0, a.col0, -a.line1, -a.col1) < std::make_tuple(b.line0, b.col0, -b.line1, -b.col1);
  });
  script.spans = std::move(spans_);
  return script;
}

}  // namespace loom::script
