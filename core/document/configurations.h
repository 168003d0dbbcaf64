// The configurations that a chapter of a lesson compares: schedules that differ in the values of some decisions, such
// as tile sizes, one schedule for each combination of values.
//
//     {"decisions": [{"name": "bx", "words": {"en": "…", "zh": "…"}, "values": [2, 4, 8]}], "steps":
//     "configurations/NAME.sched.py"}
//
// "words" is as `translatedText` reads it, and may be missing; "steps" is a path in the lesson's folder. The steps are
// step lines with placeholders for decisions, `?name` and `?{expression}`. A line that ends with "  # when EXPRESSION"
// is left out if the expression is 0.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// The code of a language ("en" or "zh") → a text in that language.
using Translated = std::map<std::string, std::string>;
// Reads a JSON object that maps codes of languages to texts, such as {"en": "tile", "zh": "块"}, or a string, which is
// taken as English. Values that are no strings are left out. Returns an empty map for other JSON.
Translated translatedText(const nlohmann::ordered_json& j);

// A decision of a lesson's schedule, with the values that it may have.
struct ConfiguredDecision {
  std::string name;                  // not empty; must be letters, digits, `_` and `.`, which isn't checked here
  Translated words;                  // a description of the decision for readers
  std::vector<std::int64_t> values;  // 0 to 1,000,000, ascending, each once; at least one
};

// A schedule of a lesson with placeholders, and the decisions whose values replace them.
struct Configurations {
  std::string name;  // the name of the JSON file, without its ending
  std::vector<ConfiguredDecision> decisions;
  std::string lines;  // the step lines with their placeholders
  std::string file;   // the path of the file of the step lines, that of the lesson's folder included, for messages
};

// Reads the JSON file `file`, a path in the lesson's folder. Errors: "NoSuchFile", "CantRead" or "TooLarge" if it or
// the file of the steps can't be read; "ParseError" if it is no JSON; "LessonError" if it doesn't have the form above,
// if the values of a decision aren't as ConfiguredDecision says, or if it has no decision or more than 1,000
// combinations. The step lines aren't parsed.
Result<Configurations> readConfigurations(const std::filesystem::path& folder, const std::string& file);

}  // namespace loom::document
