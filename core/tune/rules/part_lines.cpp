#include "core/tune/rules/part_lines.h"

#include <algorithm>
#include <set>

#include "core/script/lexer.h"

namespace loom::tune {

namespace {

using namespace std::string_view_literals;

// As TVM has it: those that refuse a scope which is no stage pipeline, and those after which its flags are new.
constexpr std::string_view kAsking[] = {
    "compute_at"sv, "reverse_compute_at"sv,     "compute_inline"sv,     "pad_einsum"sv,
    "reindex"sv,    "reverse_compute_inline"sv, "reindex_cache_read"sv, "reindex_cache_write"sv,
    "rfactor"sv};
constexpr std::string_view kFinding[] = {"blockize"sv, "decompose_reduction"sv, "tensorize"sv};

bool callsAny(const SketchLine& line, std::span<const std::string_view> primitives) {
  static constexpr std::string_view kOf = "sch.";
  const std::string_view text = line.text;
  for (std::size_t at = text.find(kOf); at != std::string_view::npos; at = text.find(kOf, at)) {
    at += kOf.size();
    const std::size_t end = text.find('(', at);
    if (end == std::string_view::npos) break;
    if (std::ranges::find(primitives, text.substr(at, end - at)) != primitives.end()) return true;
  }
  return false;
}

// Where the second stage of the lines begins, and where the third does.
std::pair<std::size_t, std::size_t> cutsOf(const std::vector<SketchLine>& lines) {
  std::size_t asked = lines.size();  // behind the last line that asks
  while (asked > 0 && !callsAny(lines[asked - 1], kAsking)) --asked;
  std::size_t second = asked;
  while (second > 0 && !callsAny(lines[second - 1], kFinding)) --second;
  std::size_t third = asked;
  while (third < lines.size() && !callsAny(lines[third], kFinding)) ++third;
  return {second, third};
}

std::set<std::string_view> assignedIn(const std::vector<std::vector<script::Token>>& lines) {
  std::set<std::string_view> names;
  for (const std::vector<script::Token>& line : lines) {
    const auto equals = std::ranges::find_if(line, [](const script::Token& t) { return t.is("="); });
    // Before the sign stand names alone; a keyword's stands behind a bracket.
    const auto bracket = std::ranges::find_if(line, [](const script::Token& t) { return t.is("("); });
    if (equals == line.end() || bracket < equals) continue;
    for (auto at = line.begin(); at != equals; ++at)
      if (at->kind == script::TokenKind::Name) names.insert(at->text);
  }
  return names;
}

}  // namespace

void PartLines::append(const PartLines& more) {
  for (SketchFold fold : more.folds) {
    fold.first += int(lines.size());
    folds.push_back(std::move(fold));
  }
  lines.insert(lines.end(), more.lines.begin(), more.lines.end());
  rows.insert(rows.end(), more.rows.begin(), more.rows.end());
  nanoseconds += more.nanoseconds;
}

std::array<PartLines, kLineStages> inStages(const PartLines& part) {
  const auto [second, third] = cutsOf(part.lines);
  const std::size_t ends[] = {second, third, part.lines.size()};
  std::array<PartLines, kLineStages> stages;
  stages.front().nanoseconds = part.nanoseconds;
  std::size_t fold = 0, stage = 0;
  const auto addFold = [&](const PlanRow* row) {
    const SketchFold& whole = part.folds[fold++];
    bool isFirst = true;
    if (whole.lines == 0) {  // all of them are left out
      stages[stage].folds.push_back({whole.rule, whole.block, int(stages[stage].lines.size()), 0});
      if (row) stages[stage].rows.push_back(*row);
    }
    for (std::size_t begin = std::size_t(whole.first), end = begin + std::size_t(whole.lines); begin < end;) {
      stage = 0;
      while (begin >= ends[stage]) ++stage;
      const std::size_t to = std::min(end, ends[stage]);
      PartLines& now = stages[stage];
      now.folds.push_back({whole.rule, whole.block, int(now.lines.size()), int(to - begin)});
      now.lines.insert(now.lines.end(), part.lines.begin() + std::ptrdiff_t(begin),
                       part.lines.begin() + std::ptrdiff_t(to));
      if (row) {
        now.rows.push_back(*row);
        if (!isFirst) now.rows.back().why = message("its further lines, behind those that other parts begin with");
      }
      isFirst = false;
      begin = to;
    }
  };
  for (const PlanRow& row : part.rows) {
    const bool writes = row.applied && fold < part.folds.size() && part.folds[fold].rule == row.rule &&
                        part.folds[fold].block == row.block;
    if (writes) {
      addFold(&row);
    } else {
      stages[stage].rows.push_back(row);
    }
  }
  while (fold < part.folds.size()) addFold(nullptr);
  return stages;
}

std::vector<SketchLine> withOtherVariables(const std::vector<SketchLine>& lines, std::string_view suffix) {
  std::vector<std::vector<script::Token>> tokens;
  for (const SketchLine& line : lines) {
    auto read = script::tokenize({line.text, ""});
    tokens.push_back(read ? std::move(*read) : std::vector<script::Token>());
  }
  const std::set<std::string_view> names = assignedIn(tokens);
  std::vector<SketchLine> made = lines;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    std::size_t added = 0;
    bool isInCall = false;
    for (std::size_t t = 0; t < tokens[l].size(); ++t) {
      const script::Token& token = tokens[l][t];
      isInCall |= token.is("(");
      const bool isAttribute = t > 0 && tokens[l][t - 1].is(".");
      const bool isKeyword = isInCall && t + 1 < tokens[l].size() && tokens[l][t + 1].is("=");
      if (token.kind != script::TokenKind::Name || isAttribute || isKeyword || !names.contains(token.text)) continue;
      made[l].text.insert(std::size_t(token.column - 1) + token.text.size() + added, suffix);
      added += suffix.size();
    }
  }
  return made;
}

}  // namespace loom::tune
