#include "core/document/configurations.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/document/json_text.h"
#include "core/document/lesson.h"

namespace loom::document {
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMost = 1000;

// Nothing where it is no decision.
std::optional<ConfiguredDecision> decisionOf(const json& j) {
  if (!j.is_object() || !j.value("name", json()).is_string() || !j.value("values", json()).is_array()) return {};
  ConfiguredDecision decision{j["name"].get<std::string>(), translatedText(j.value("words", json())), {}};
  for (const json& value : j["values"]) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1'000'000) return {};
    decision.values.push_back(value.get<std::int64_t>());
  }
  const bool ascending = std::ranges::adjacent_find(decision.values, std::greater_equal()) == decision.values.end();
  if (decision.name.empty() || decision.values.empty() || !ascending) return {};
  return decision;
}

}  // namespace

Translated translatedText(const json& j) {
  Translated t;
  if (j.is_string()) {
    t["en"] = j.get<std::string>();
  } else if (j.is_object()) {
    for (const auto& [language, text] : j.items()) {
      if (text.is_string()) t[language] = text.get<std::string>();
    }
  }
  return t;
}

Result<Configurations> readConfigurations(const fs::path& folder, const std::string& file) {
  const fs::path path = folder / file;
  const auto broken = [&](Message what) {
    auto failure = fail("LessonError", std::move(what), Forbids::Input);
    failure.value().place.file = path.string();
    return failure;
  };
  const auto text = readFile(path);
  if (!text) return Failure(text.error());
  const auto j = parseJson(*text, path.string());
  if (!j) return Failure(j.error());
  if (!j->is_object() || !j->value("decisions", json()).is_array() || !j->value("steps", json()).is_string()) {
    return broken(message("is no JSON object with \"decisions\" and \"steps\""));
  }
  Configurations all;
  all.name = path.stem().string();
  std::size_t combinations = 1;
  for (const json& one : (*j)["decisions"]) {
    auto decision = decisionOf(one);
    if (!decision) return broken(message("a decision has no \"name\", or no ascending numbers as \"values\""));
    combinations *= decision->values.size();
    if (combinations > kMost) return broken(message("has more than {} combinations", kMost));
    all.decisions.push_back(std::move(*decision));
  }
  if (all.decisions.empty()) return broken(message("has no decisions"));
  const fs::path steps = folder / (*j)["steps"].get<std::string>();
  auto lines = readFile(steps);
  if (!lines) return Failure(lines.error());
  all.lines = std::move(*lines);
  all.file = steps.string();
  return all;
}

}  // namespace loom::document
