#include "app/cli/tune_own.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/report.h"
#include "app/text/messages.h"
#include "app/text/own_schedule.h"
#include "app/text/singular.h"

namespace loom::cli {
namespace {

using nlohmann::ordered_json;

void printOwnScheduleJson(const tune::Sketch& sketch, const tune::OwnInSketch& own) {
  const auto& isMember = own.membership.isMember;
  ordered_json j = {{"sketch", sketch.name},
                    {"in_space", isMember ? ordered_json(*isMember) : ordered_json()},
                    {"same_kernel", isMember && *isMember && own.differs.empty()},
                    {"decisions", own.values},
                    {"of", sketch.space.decisions.size()},
                    {"why", ordered_json::array()}};
  for (const tune::Exclusion& one : own.membership.exclusions) {
    ordered_json why = {{"words", one.words.english()}};
    if (one.decision >= 0) why["decision"] = sketch.space.decisions[std::size_t(one.decision)].name;
    if (one.constraint >= 0) why["constraint"] = sketch.space.constraints[std::size_t(one.constraint)].name;
    j["why"].push_back(std::move(why));
  }
  if (!isMember) j["why"].push_back({{"words", isMember.error().message.english()}});
  if (!own.differs.empty()) j["why"].push_back({{"words", own.differs.english()}});
  printJson({{"own", std::move(j)}});
}

void printOwnScheduleText(const tune::Sketch& sketch, const tune::OwnInSketch& own, text::Language language) {
  namespace words = text::own;
  const auto said = [&](const text::Text& phrase, const auto&... values) {
    return fmt::format(fmt::runtime(phrase.in(language)), values...);
  };
  const auto& isMember = own.membership.isMember;
  const std::size_t read = own.values.size(), all = sketch.space.decisions.size();
  std::string line;
  if (!isMember) {
    line = said(words::kUnknown, sketch.name, text::wordsOf(language, isMember.error().message));
  } else if (!*isMember) {
    std::string why;
    for (const tune::Exclusion& one : own.membership.exclusions)
      why += (why.empty() ? "" : "; ") + text::wordsOf(language, one.words);
    line = said(words::kOutside, sketch.name, read, all, why);
  } else if (own.differs.empty()) {
    line = said(words::kInside, sketch.name, read, all);
  } else {
    line = said(words::kInsideOther, read, all, sketch.name, text::wordsOf(language, own.differs));
  }
  fmt::print("  {} {}\n", isMember && *isMember && own.differs.empty() ? "✓" : "·", line);
  std::string values;
  for (const auto& [name, value] : own.values)
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
  if (!values.empty()) fmt::print("    {}\n", said(words::kRead, values));
}

}  // namespace

void printOwnSchedule(const tune::PreparedSearch& prepared, const std::vector<tune::OwnInSketch>& own,
                      std::size_t lines, const std::string& language, bool json) {
  const text::Language in = text::languageOf(language);
  if (!json) {
    const std::string heading = fmt::format(fmt::runtime(text::own::kHeading.in(in)), lines);
    fmt::print("\n{}\n", in == text::Language::kEnglish ? text::inSingular(heading) : heading);
  }
  for (const tune::OwnInSketch& one : own) {
    const tune::Sketch& sketch = prepared.plan.sketches[std::size_t(one.sketch)];
    if (json) {
      printOwnScheduleJson(sketch, one);
    } else {
      printOwnScheduleText(sketch, one, in);
    }
  }
}

}  // namespace loom::cli
