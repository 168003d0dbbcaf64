#include "app/cli/records.h"

#include <fmt/format.h>

#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/document/tuner_database.h"
#include "core/model/duration_text.h"

namespace loom::cli {
namespace {

using Record = document::TunerDatabase::Record;

nlohmann::ordered_json jsonOf(const Record& r, std::size_t number) {
  nlohmann::ordered_json j = {{"record", number}, {"workload", r.workload + 1}};
  j["seconds"] = r.mean() ? nlohmann::ordered_json(*r.mean()) : nlohmann::ordered_json();
  j["runs"] = r.seconds.size();
  j["target"] = r.target;
  j["arguments"] = r.arguments;
  j["instructions"] = r.instructions;
  j["line"] = r.line;
  return j;
}

void printRow(const Record& r, const std::string& number) {
  const std::string time = r.mean() ? model::durationText(*r.mean() * 1e6) : "none";
  fmt::print("{}  {}  {}  {}  {}  {}\n", padded(number, 6, true), padded(time, 10, true),
             padded(std::to_string(r.seconds.size()), 4, true), padded(std::to_string(r.instructions), 12, true),
             padded(shortened(r.target, 30), 22, false), shortened(r.arguments, 100));
}

}  // namespace

std::optional<ExitStatus> listRecords(const std::vector<std::string>& words, bool json) {
  if (words.size() != 1) return std::nullopt;
  const document::RecordWord word = document::recordWord(words.front());
  const auto files = document::databaseAt(word.path);
  if (word.record || !files) return std::nullopt;
  auto database = document::readDatabase(*files);
  if (!database) return report(database.error());
  if (database->records.size() < 2) return std::nullopt;
  if (!json) {
    fmt::print("{}  {}  {}  {}  {}  arguments\n", padded("record", 6, true), padded("time", 10, true),
               padded("runs", 4, true), padded("instructions", 12, true), padded("target", 22, false));
  }
  std::optional<std::size_t> workload;
  for (const std::size_t i : database->ranked()) {
    const Record& r = database->records[i];
    if (json) {
      printJson(jsonOf(r, i + 1));
      continue;
    }
    if (workload != r.workload && database->workloads.size() > 1) fmt::print("workload {}\n", r.workload + 1);
    workload = r.workload;
    printRow(r, std::to_string(i + 1));
  }
  for (const Message& remark : database->remarks) note(remark);
  if (!json) {
    const std::size_t best = *database->best();
    if (database->records[best].mean()) {
      fmt::print("Times are the tuner's, the mean of the runs. --record N opens one: {} is the fastest.\n", best + 1);
    } else {
      fmt::print("The tuner has timed none of them. --record N opens one.\n");
    }
  }
  return ExitStatus::kDone;
}

nlohmann::ordered_json tunedJson(const document::TunedTime& tuned) {
  nlohmann::ordered_json j = {{"origin", "tuner's record"}, {"record", tuned.record}};
  j["seconds"] = tuned.seconds ? nlohmann::ordered_json(*tuned.seconds) : nlohmann::ordered_json();
  j["runs"] = tuned.runs;
  j["target"] = tuned.target;
  j["whole"] = tuned.whole;
  return j;
}

}  // namespace loom::cli
