// The schedules of lessons.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/model/programs.h"

namespace loom::model {

// A lesson's step lines from the unscheduled function to the end of a chapter.
inline std::string linesTo(const std::string& lesson, const std::string& chapter) {
  const std::string folder = "assets/lessons/" + lesson;
  std::map<std::string, std::string> ends;
  std::string lines;
  const auto description = nlohmann::json::parse(readText(folder + "/lesson.json"));
  for (const auto& entry : description["chapters"]) {
    if (entry.contains("from")) lines = ends.at(entry["from"]);
    if (entry.contains("steps")) lines += readText(folder + "/" + std::string(entry["steps"]));
    ends[entry["id"]] = lines;
  }
  return ends.at(chapter);
}

}  // namespace loom::model
