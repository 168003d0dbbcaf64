// The configurations that a chapter of a lesson compares: schedules that differ in the values of some decisions, such
// as tile sizes, one schedule for each combination of values.
//
//     {"decisions": [{"name": "bx", "words": {"en", "zh"}, "values": [2, 4, 8]}], "steps":
//     "configurations/NAME.sched.py"}
//
// The steps are step lines with placeholders for decisions, `?name` and `?{expression}`. A line that ends with
// "  # when EXPRESSION" is left out if the expression is 0.
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
// Reads a JSON object with the keys "en" and "zh", or a string, which is taken as English. Returns an empty map for
// other JSON.
Translated translatedText(const nlohmann::ordered_json& j);

// A decision of a lesson's schedule, with the values that it may have.
struct ConfiguredDecision {
  std::string name;                  // letters, digits, `_` and `.`
  Translated words;                  // a description of the decision for readers
  std::vector<std::int64_t> values;  // ascending, each once
};

// A schedule of a lesson with placeholders, and the decisions whose values replace them.
struct Configurations {
  std::string name;  // the name of the JSON file, without its ending
  std::vector<ConfiguredDecision> decisions;
  std::string lines;  // the step lines with their placeholders
  std::string file;   // the file of the step lines, for messages
};

// Reads the JSON file `file`, a path in the lesson's folder. Errors: "NoSuchFile"; "LessonError" if the file doesn't
// have the form above or has more than 1 000 combinations.
Result<Configurations> readConfigurations(const std::filesystem::path& folder, const std::string& file);

}  // namespace loom::document
