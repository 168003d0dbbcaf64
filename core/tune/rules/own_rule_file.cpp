// Reads a user's rule. What is wrong with a file is said with the field and what is expected there.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/document/json_text.h"
#include "core/document/lesson.h"
#include "core/process/home.h"
#include "core/schedule/instruction.h"
#include "core/script/step_line.h"
#include "core/tune/rules/own_rule_names.h"

namespace loom::tune {
namespace fs = std::filesystem;

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostValues = 4096;

// Whether it is a whole number that std::int64_t holds, and not negative.
bool isWhole(const ordered_json& json) {
  return json.is_number_unsigned() && json.get<std::uint64_t>() <= std::uint64_t(INT64_MAX);
}

class RuleReader {
 public:
  RuleReader(const std::string& text, const std::string& file) : text_(text) { rule_.file = file; }

  Result<OwnRule> read() {
    auto json = document::parseJson(text_, rule_.file);
    if (!json) return Failure(json.error());
    if (!json->is_object()) return wrong("", message("expected an object"));
    static const std::set<std::string> kKeys{"rule", "sentence", "when", "decisions", "constraints", "lines"};
    for (const auto& [key, value] : json->items())
      if (!kKeys.contains(key))
        return wrong("/" + key, message("no such key; expected rule, sentence, when, decisions, constraints or lines"));
    const bool fine = readName(*json) && readWhen(*json) && readDecisions(*json) && readConstraints(*json) &&
                      readLines(*json) && checkNames() && checkLines();
    if (!fine) return Failure(*problem_);
    return std::move(rule_);
  }

 private:
  Failure wrong(const std::string& field, Message what, const std::string& quoted = "") {
    auto failure = fail("RuleError", field.empty() ? std::move(what) : message("{}: {}", field, what), Forbids::Input);
    failure.value().place.file = rule_.file;
    // The line of what is quoted, or else of the field's last key.
    std::string key = quoted;
    if (key.empty())
      for (std::size_t at = field.find('/'); at != std::string::npos; at = field.find('/', at + 1)) {
        const std::string part = field.substr(at + 1, field.find('/', at + 1) - at - 1);
        if (part.find_first_not_of("0123456789") != std::string::npos) key = "\"" + part + "\"";
      }
    const std::size_t at = key.empty() ? std::string::npos : text_.find(key);
    if (at != std::string::npos) {
      const std::size_t start = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
      failure.value().place.line = 1 + int(std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at), '\n'));
      failure.value().place.column = 1 + int(at - start);
      failure.value().place.text = text_.substr(start, text_.find('\n', start) - start);
    }
    return failure;
  }
  bool refuse(const std::string& field, Message what, const std::string& quoted = "") {
    problem_ = wrong(field, std::move(what), quoted).value();
    return false;
  }

  // The text of a key; nothing where it is no text.
  static std::optional<std::string> textOf(const ordered_json& json, const char* key) {
    if (!json.contains(key) || !json[key].is_string() || json[key].get<std::string>().empty()) return std::nullopt;
    return json[key].get<std::string>();
  }

  bool readName(const ordered_json& json) {
    const auto name = textOf(json, "rule");
    if (!name) return refuse("/rule", message("expected the rule's name, a text"));
    rule_.name = *name;
    for (const char* language : {"en", "zh"}) {
      const auto words = json.contains("sentence") && json["sentence"].is_object() ? textOf(json["sentence"], language)
                                                                                   : std::optional<std::string>();
      if (!words)
        return refuse("/sentence", message("expected a sentence in both languages, {{\"en\": …, \"zh\": …}}"));
      rule_.sentence[language] = *words;
    }
    return true;
  }

  bool readRange(const ordered_json& when, const char* key, OwnRule::Range& range) {
    if (!when.contains(key)) return true;
    const auto& j = when[key];
    if (!j.is_array() || j.size() != 2 || !isWhole(j[0]) || !isWhole(j[1]) || j[0] > j[1])
      return refuse(fmt::format("/when/{}", key), message("expected two whole numbers, the least and the most"));
    range = {j[0].get<std::int64_t>(), j[1].get<std::int64_t>()};
    return true;
  }

  bool readWhen(const ordered_json& json) {
    if (!json.contains("when")) return true;
    const auto& when = json["when"];
    if (!when.is_object()) return refuse("/when", message("expected an object"));
    for (const auto& [key, value] : when.items()) {
      if (key == "block") {
        static const std::map<std::string, OwnRule::Kind> kKinds{{"any", OwnRule::Kind::Any},
                                                                 {"elementwise", OwnRule::Kind::Elementwise},
                                                                 {"reduction", OwnRule::Kind::Reduction},
                                                                 {"product", OwnRule::Kind::Product}};
        const auto kind = value.is_string() ? kKinds.find(value.get<std::string>()) : kKinds.end();
        if (kind == kKinds.end())
          return refuse("/when/block", message("expected any, elementwise, reduction or product"));
        rule_.kind = kind->second;
      } else if (key == "dtypes") {
        if (!value.is_array() || value.empty() || !std::ranges::all_of(value, &ordered_json::is_string))
          return refuse("/when/dtypes", message("expected a list of types, [\"float16\"]"));
        rule_.dtypes = value.get<std::vector<std::string>>();
      } else if (key == "capability") {
        if (!isWhole(value)) return refuse("/when/capability", message("expected a whole number, 80 of sm_80"));
        rule_.capability = value.get<std::int64_t>();
      } else if (key != "spatial" && key != "reduced") {
        return refuse("/when/" + key,
                      message("no such condition; expected block, dtypes, spatial, reduced or capability"));
      }
    }
    return readRange(when, "spatial", rule_.spatial) && readRange(when, "reduced", rule_.reduced);
  }

  static bool isList(const ordered_json& json, const char* key) { return !json.contains(key) || json[key].is_array(); }

  bool readDecisions(const ordered_json& json) {
    if (!isList(json, "decisions")) return refuse("/decisions", message("expected a list"));
    std::set<std::string> names;
    for (const auto& j : json.value("decisions", ordered_json::array())) {
      const std::string field = fmt::format("/decisions/{}", rule_.decisions.size());
      OwnRule::Values d;
      const auto name = j.is_object() ? textOf(j, "name") : std::nullopt;
      static const std::regex kName("[a-z][a-z0-9_.]*");
      if (!name || !std::regex_match(*name, kName) || isFact(*name))
        return refuse(field + "/name", message("expected a name in small letters that is no fact of the block"));
      if (!names.insert(*name).second) return refuse(field + "/name", message("two decisions are called {}", *name));
      d.decision = *name;
      d.words = textOf(j, "words").value_or("");
      if (const auto divided = textOf(j, "divisors")) {
        d.divided = *divided;
        if (j.contains("most") && !isWhole(j["most"]))
          return refuse(field + "/most", message("expected a whole number"));
        d.most = j.value("most", d.most);
      } else {
        const bool numbers = j.contains("values") && j["values"].is_array() && !j["values"].empty() &&
                             j["values"].size() <= kMostValues && std::ranges::all_of(j["values"], isWhole);
        if (!numbers)
          return refuse(field, message("expected \"values\", a list of whole numbers, or \"divisors\", an expression"),
                        "\"" + *name + "\"");
        d.values = j["values"].get<std::vector<std::int64_t>>();
      }
      rule_.decisions.push_back(std::move(d));
    }
    return true;
  }

  bool readConstraints(const ordered_json& json) {
    if (!isList(json, "constraints")) return refuse("/constraints", message("expected a list"));
    for (const auto& j : json.value("constraints", ordered_json::array())) {
      const std::string field = fmt::format("/constraints/{}", rule_.constraints.size());
      OwnRule::Relation r;
      if (j.is_object()) r.words = textOf(j, "words").value_or("");
      static constexpr std::pair<const char*, Constraint::Kind> kKinds[] = {{"equal", Constraint::Kind::Equal},
                                                                            {"at_most", Constraint::Kind::AtMost},
                                                                            {"divides", Constraint::Kind::Divides}};
      bool known = false;
      for (const auto& [key, kind] : kKinds) {
        if (!j.is_object() || !j.contains(key)) continue;
        const auto& both = j[key];
        if (!both.is_array() || both.size() != 2 || !std::ranges::all_of(both, &ordered_json::is_string))
          return refuse(field + "/" + key, message("expected two expressions, [\"a*b\", \"s0\"]"));
        r.kind = kind, r.first = both[0].get<std::string>(), r.second = both[1].get<std::string>();
        known = true;
      }
      if (j.is_object() && j.contains("table")) {
        if (!readTable(j["table"], field, r)) return false;
        known = true;
      }
      if (!known) return refuse(field, message("expected one of equal, at_most, divides or table"));
      rule_.constraints.push_back(std::move(r));
    }
    return true;
  }

  bool readTable(const ordered_json& table, const std::string& field, OwnRule::Relation& r) {
    const auto isRow = [&](const ordered_json& row) {
      return row.is_array() && row.size() == table["columns"].size() && std::ranges::all_of(row, isWhole);
    };
    const bool fine = table.is_object() && table.contains("columns") && table["columns"].is_array() &&
                      !table["columns"].empty() && std::ranges::all_of(table["columns"], &ordered_json::is_string) &&
                      table.contains("rows") && table["rows"].is_array() && std::ranges::all_of(table["rows"], isRow);
    if (!fine)
      return refuse(field + "/table",
                    message("expected \"columns\", names of decisions, and \"rows\" of as many whole numbers"));
    r.kind = Constraint::Kind::Table;
    r.columns = table["columns"].get<std::vector<std::string>>();
    r.rows = table["rows"].get<std::vector<std::vector<std::int64_t>>>();
    for (const std::string& column : r.columns)
      if (!isDecision(column)) return refuse(field + "/table", message("{} is no decision of the rule", column));
    return true;
  }

  bool readLines(const ordered_json& json) {
    if (!json.contains("lines") || !json["lines"].is_array() || json["lines"].empty())
      return refuse("/lines", message("expected a list of step lines"));
    for (const auto& j : json["lines"]) {
      const std::string field = fmt::format("/lines/{}", rule_.lines.size());
      if (j.is_string()) {
        rule_.lines.push_back({j.get<std::string>(), ""});
      } else if (const auto line = j.is_object() ? textOf(j, "line") : std::nullopt) {
        rule_.lines.push_back({*line, textOf(j, "when").value_or("")});
      } else {
        return refuse(field, message("expected a step line, or an object with \"line\" and \"when\""));
      }
    }
    return true;
  }

  static bool isFact(const std::string& name) {
    static const std::regex kFact("[sr][0-9]+|m|n|k|batch|device\\.(threads|shared|multiprocessors)");
    return std::regex_match(name, kFact);
  }
  bool isDecision(const std::string& name) const {
    return std::ranges::any_of(rule_.decisions, [&](const OwnRule::Values& d) { return d.decision == name; });
  }

  bool checkNames() {
    std::optional<std::pair<std::string, Message>> first;
    eachExpression(rule_, [&](const std::string& expression, const std::string& field) {
      if (first) return;
      for (const std::string& name : namesIn(expression))
        if (!isFact(name) && !isDecision(name))
          first = {field, message("{} is neither a decision of the rule nor a fact of the block", name)};
      if (first || expression.empty()) return;
      const auto one = evaluated(expression, [](std::string_view) { return std::optional<std::int64_t>(1); });
      if (!one) first = {field, one.error().message};
    });
    if (first) return refuse(first->first, first->second);
    for (std::size_t d = 0; d < rule_.decisions.size(); ++d)
      if (!hasFactsOnly(rule_.decisions[d].divided, fmt::format("/decisions/{}", d))) return false;
    for (std::size_t c = 0; c < rule_.constraints.size(); ++c) {
      const OwnRule::Relation& relation = rule_.constraints[c];
      const bool isLimit = relation.kind == Constraint::Kind::Equal || relation.kind == Constraint::Kind::AtMost;
      if (isLimit && !hasFactsOnly(relation.second, fmt::format("/constraints/{}", c))) return false;
    }
    return true;
  }

  // Where a number must be known before anything is decided.
  bool hasFactsOnly(const std::string& expression, const std::string& field) {
    for (const std::string& name : namesIn(expression))
      if (!isFact(name))
        return refuse(field,
                      message("{} is a decision, and only facts of the block may stand in {}", name, expression));
    return true;
  }

  // Each line is a step line of a primitive that there is.
  bool checkLines() {
    for (std::size_t n = 0; n < rule_.lines.size(); ++n) {
      const std::string field = fmt::format("/lines/{}", n), &line = rule_.lines[n].text;
      const std::string quoted = ordered_json(line).dump();
      std::string filled;
      for (std::size_t at = 0; at < line.size();) {
        if (line.compare(at, kBlockPlace.size(), kBlockPlace) == 0) {
          filled += "block", at += kBlockPlace.size();
        } else if (line[at] == '?') {
          const OpenPlace place = openPlaceAt(line, at);
          if (place.expression.empty())
            return refuse(field, message("a ? has neither a name nor an expression behind it"), quoted);
          filled += "1", at = place.end;
        } else {
          filled += line[at++];
        }
      }
      const auto calls = script::parseSchedule(filled, rule_.file);
      if (!calls) return refuse(field, calls.error().message, quoted);
      if (calls->size() != 1) return refuse(field, message("expected one step line"), quoted);
      const std::string primitive(calls->front().primitive());
      if (!primitive.empty() && schedule::findInstruction(primitive) == nullptr)
        return refuse(field, message("there is no primitive {}", primitive), quoted);
    }
    return true;
  }

  const std::string& text_;
  OwnRule rule_;
  std::optional<Error> problem_;
};

}  // namespace

Result<OwnRule> readOwnRule(const std::string& text, const std::string& file) { return RuleReader(text, file).read(); }

Result<OwnRule> readOwnRuleFile(const fs::path& file) {
  const auto text = document::readFile(file);
  if (!text) return Failure(text.error());
  return readOwnRule(*text, file.string());
}

OwnRules readOwnRules(const std::vector<fs::path>& folders) {
  OwnRules all;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      auto rule = readOwnRuleFile(file);
      if (!rule) {
        all.problems.push_back(rule.error());
        continue;
      }
      const auto same = std::ranges::find(all.rules, rule->name, &OwnRule::name);
      if (same == all.rules.end()) {
        all.rules.push_back(std::move(*rule));
        continue;
      }
      auto twice = fail("RuleError", message("/rule: {} has a rule {}, too", same->file, rule->name), Forbids::Input);
      twice.value().place.file = file.string();
      all.problems.push_back(twice.value());
    }
  }
  return all;
}

std::vector<fs::path> ownRuleFolders(const fs::path& assets) {
  std::vector<fs::path> folders{assets / "rules"};
  if (const auto own = process::userFolder("XDG_DATA_HOME", ".local/share")) folders.push_back(*own / "rules");
  return folders;
}

}  // namespace loom::tune
