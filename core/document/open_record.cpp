// A record of a tuner's database as a target.
#include <fmt/format.h>

#include "core/document/json_text.h"
#include "core/document/target.h"
#include "core/document/tuner_database.h"
#include "core/model/duration_text.h"
#include "core/schedule/trace.h"
#include "core/script/saved_program.h"

namespace loom::document {
namespace {

Error at(Error error, const std::filesystem::path& file, int line) {
  error.place = {file.string(), line, 0, ""};
  return error;
}

Failure noRecord(const TunerDatabase& database, Message message) {
  auto failure = fail("NoSuchTarget", std::move(message), Forbids::Input);
  failure.value().place.file = database.recordFile.string();
  return failure;
}

// A folder is what people named; its files all have the same names.
std::string titleOf(const TunerDatabase& database) {
  const std::filesystem::path file = std::filesystem::absolute(database.workloadFile).lexically_normal();
  return file.stem() == "database_workload" ? file.parent_path().filename().string() : file.stem().string();
}

TunedTime timeOf(const TunerDatabase& database, std::size_t record) {
  const TunerDatabase::Record& entry = database.records[record];
  TunedTime tuned;
  tuned.record = int(record) + 1;
  tuned.seconds = entry.mean();
  tuned.runs = int(entry.seconds.size());
  tuned.target = entry.target;
  if (entry.workload < database.workloads.size()) tuned.workload = database.workloads[entry.workload].text;
  tuned.runsText = entry.runsText;
  tuned.targetText = entry.targetText;
  tuned.argumentsText = entry.argumentsText;
  return tuned;
}

// A database has truth values as numbers, where a trace that is printed has them as themselves.
void countTruths(nlohmann::ordered_json& j) {
  if (j.is_boolean()) j = int(j.get<bool>());
  if (!j.is_structured()) return;
  for (auto& item : j) countTruths(item);
}

std::vector<TunedTime::Choice> choicesOf(const TunerDatabase& database, const std::string& path) {
  constexpr std::size_t kMost = 1000;  // a list that people scroll through
  std::vector<TunedTime::Choice> choices;
  for (const std::size_t i : database.ranked()) {
    if (choices.size() == kMost) break;
    choices.push_back({fmt::format("{}#{}", path, i + 1), timeOf(database, i).text(), database.records[i].arguments});
  }
  return choices;
}

}  // namespace

Message TunedTime::text() const {
  Message out;
  if (!seconds) {
    out = message("tuner's record {}: no run of it succeeded", record);
  } else {
    const double us = *seconds * 1e6;
    const std::string time = model::durationText(us);
    const std::string on = target.empty() ? "?" : target;
    out = runs > 1 ? message("tuner's record {}: {} on {}, the mean of {} runs", record, time, on, runs)
                   : message("tuner's record {}: {} on {}", record, time, on);
  }
  return whole ? out : message("{}; of all its steps, which this state lacks", out);
}

Result<std::map<std::string, std::string>> tunerFiles(const Target& target, int node, const std::string& trace) {
  if (!target.tuned || target.tuned->workload.empty()) {
    return fail(
        "NoSuchTarget",
        message("a tuner's database is written of a program that was opened from one: it has the program as TVM "
                "saves it"),
        Forbids::Input);
  }
  const TunedTime& tuned = *target.tuned;
  auto plain = parseJson(trace, "");
  if (!plain) return Failure(plain.error());
  countTruths(*plain);
  const bool isTimed = node == tuned.node && tuned.whole;
  return std::map<std::string, std::string>{
      {"database_workload.json", tuned.workload + "\n"},
      {"database_tuning_record.json",
       fmt::format("[0, [{}, {}, {}, {}]]\n", plain->dump(), isTimed ? tuned.runsText : "null", tuned.targetText,
                   tuned.argumentsText)}};
}

Result<Target> openWorkload(const TunerDatabase& database, std::size_t workload) {
  const TunerDatabase::Workload& entry = database.workloads[workload];
  if (entry.program.empty()) {
    return Failure(at(fail("ParseError", message("the workload of this line can't be read"), Forbids::Input).value(),
                      database.workloadFile, entry.line));
  }
  auto program = script::readSavedProgram(entry.program, database.workloadFile.string());
  if (!program) return Failure(at(program.error(), database.workloadFile, entry.line));
  auto target = openModule(program->module, titleOf(database), program->passedOver);
  if (!target) return Failure(at(target.error(), database.workloadFile, entry.line));
  target->remarks.insert(target->remarks.begin(), database.remarks.begin(), database.remarks.end());
  return target;
}

Result<Target> openRecord(const TunerDatabase& database, std::size_t record, const schedule::Environment& environment) {
  const TunerDatabase::Record& entry = database.records[record];
  if (entry.workload >= database.workloads.size()) {
    return Failure(at(fail("ParseError",
                           message("record {} is of workload {}, and there are {}", record + 1, entry.workload,
                                   database.workloads.size()),
                           Forbids::Input)
                          .value(),
                      database.recordFile, entry.line));
  }
  auto target = openWorkload(database, entry.workload);
  if (!target) return target;
  target->title += fmt::format(", record {}", record + 1);
  std::optional<Error> end;
  auto lines = schedule::stepLines(entry.trace, database.recordFile.string(), &end);
  if (!lines) return Failure(at(lines.error(), database.recordFile, entry.line));
  auto applied = target->history.apply(0, *lines, environment, database.recordFile.string());
  if (!applied) return Failure(at(applied.error(), database.recordFile, entry.line));
  target->refusal = applied->refusal ? applied->refusal : end;
  if (target->refusal) {
    // Its line counts the trace's instructions; the record is one line of its file.
    const int instruction = target->refusal->place.line;
    target->refusal->message = message("instruction {} of {} of record {}: {}", instruction, entry.instructions,
                                       record + 1, target->refusal->message);
    target->refusal->place = {database.recordFile.string(), entry.line, 0, target->refusal->place.text};
  }
  TunedTime time = timeOf(database, record);
  time.node = applied->node;
  time.whole = !target->refusal;
  target->history.annotate(applied->node, time.text());
  target->tuned = std::make_shared<const TunedTime>(std::move(time));
  return target;
}

std::optional<Result<Target>> openDatabase(const std::string& word, const schedule::Environment& environment) {
  const RecordWord asked = recordWord(word);
  const auto files = databaseAt(asked.path);
  if (!files) {
    std::error_code error;
    if (!asked.record || !std::filesystem::exists(asked.path, error)) return std::nullopt;
    return Result<Target>(fail("NoSuchTarget",
                               message("{} is no tuner's database: it has no record {}", asked.path, *asked.record),
                               Forbids::Input));
  }
  auto database = readDatabase(*files);
  if (!database) return Result<Target>(Failure(database.error()));
  const int count = int(database->records.size());
  if (asked.record && (*asked.record < 1 || *asked.record > count)) {
    return Result<Target>(
        noRecord(*database, count ? message("there is no record {}: they are 1 to {}", *asked.record, count)
                                  : message("there is no record {}: the database has none", *asked.record)));
  }
  if (count == 0 && database->workloads.size() > 1) {
    return Result<Target>(
        noRecord(*database, message("the database has {} workloads and no record of any", database->workloads.size())));
  }
  if (count == 0) return openWorkload(*database, 0);
  const std::size_t record = asked.record ? std::size_t(*asked.record) - 1 : *database->best();
  auto target = openRecord(*database, record, environment);
  if (target && !asked.record && count > 1) {
    TunedTime tuned = *target->tuned;
    tuned.choices = choicesOf(*database, asked.path);
    target->tuned = std::make_shared<const TunedTime>(std::move(tuned));
    target->remarks.push_back(
        database->records[record].mean()
            ? message("the database has {} records; this is record {}, the fastest", count, record + 1)
            : message("the database has {} records; this is record {}: none has a time", count, record + 1));
  }
  return target;
}

}  // namespace loom::document
