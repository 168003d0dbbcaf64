// Reads the schedules of the lessons in assets/lessons.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/model/programs.h"

namespace loom::model {

// Returns the step lines from a lesson's unscheduled function to the end of the chapter with the id `chapter`. Must be
// run in the root of the repository. Throws std::out_of_range if the lesson has no such chapter.
inline std::string linesTo(const std::string& lesson, const std::string& chapter) {
  const std::string folder = "assets/lessons/" + lesson;
  std::map<std::string, std::string> ends;
  std::string lines;
  const auto description = nlohmann::json::parse(readText(folder + "/lesson.json"));
  for (const auto& entry : description["chapters"]) {
    if (entry.contains("from")) {
      const std::string from = entry["from"];
      const auto slash = from.find('/');  // OTHER_LESSON/CHAPTER
      lines = slash == std::string::npos ? ends.at(from) : linesTo(from.substr(0, slash), from.substr(slash + 1));
    }
    if (entry.contains("steps")) lines += readText(folder + "/" + std::string(entry["steps"]));
    ends[entry["id"]] = lines;
  }
  return ends.at(chapter);
}

}  // namespace loom::model
