// What a chapter of a lesson compares: schedules that differ in the values of some decisions, one for each combination.
//
//     {"decisions": [{"name": "bx", "words": {"en", "zh"}, "values": [2, 4, 8]}], "steps":
//     "configurations/NAME.sched.py"}
//
// The steps are lines with open places, `?name` and `?{expression}`; a line that ends with "  # when EXPRESSION" is
// left out where that is 0 (core/tune/rules/sketch.h; core/tune/rules/configured.h makes a sketch of them).
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/ir/result.h"

namespace loom::document {

// "en" or "zh" → text.
using Translated = std::map<std::string, std::string>;
// Reads {"en", "zh"}, or a string, which is English; what is neither is no text.
Translated translatedText(const nlohmann::ordered_json& j);

// A decision of a lesson's schedule, with the values that it may have.
struct ConfiguredDecision {
  std::string name;  // letters, digits, `_` and `.`
  Translated words;
  std::vector<std::int64_t> values;  // ascending, each once
};

// A schedule of a lesson with open places, and the decisions that fill them.
struct Configurations {
  std::string name;  // its file's, without the ending
  std::vector<ConfiguredDecision> decisions;
  std::string lines;
  std::string file;  // of the lines, for messages
};

// Reads `file`, a path in the lesson's folder. Errors: "NoSuchFile", and "LessonError" where it is not as above or has
// more than 1 000 combinations.
Result<Configurations> readConfigurations(const std::filesystem::path& folder, const std::string& file);

}  // namespace loom::document
