#include "core/document/tuner_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/document/lesson.h"
#include "core/script/base64.h"

namespace loom::document {
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
namespace {

constexpr std::string_view kWorkload = "workload", kRecord = "tuning_record";

// Of a line: nothing where it is no JSON, or nested deeper than any record is.
std::optional<json> parsed(std::string_view line) {
  bool deep = false;
  json value = json::parse(
      line,
      [&](int depth, json::parse_event_t, json&) {
        deep = deep || depth > 50;
        return !deep;
      },
      false);
  if (value.is_discarded() || deep) return std::nullopt;
  return value;
}

std::string compact(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

// [hash, program]: in base64, as text, or as it is.
std::optional<TunerDatabase::Workload> workloadOf(const json& entry) {
  if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string()) return std::nullopt;
  if (entry[1].is_object()) return TunerDatabase::Workload{0, compact(entry[1]), compact(entry)};
  if (!entry[1].is_string()) return std::nullopt;
  const auto& text = entry[1].get_ref<const std::string&>();
  if (auto saved = script::decodeSavedString(text))
    return TunerDatabase::Workload{0, std::move(*saved), compact(entry)};
  return TunerDatabase::Workload{0, text, compact(entry)};
}

// "nvidia/nvidia-a100" by its tag, else "cuda sm_80"; what a target is given as may be a text, too.
std::string targetOf(const json& target) {
  if (target.is_string()) return target.get<std::string>();
  if (!target.is_object()) return "";
  const auto word = [&](const char* key) {
    return target.contains(key) && target[key].is_string() ? target[key].get<std::string>() : std::string();
  };
  if (std::string tag = word("tag"); !tag.empty()) return tag;
  const std::string kind = word("kind"), arch = word("arch");
  return kind + (kind.empty() || arch.empty() ? "" : " ") + arch;
}

// Of ["TENSOR", dtype, shape] and ["SCALAR", dtype].
std::string argumentsOf(const json& list) {
  std::string all;
  if (!list.is_array()) return all;
  for (const json& argument : list) {
    if (!argument.is_array() || argument.size() < 2 || !argument[1].is_string()) return "";
    all += (all.empty() ? "" : ", ") + argument[1].get<std::string>();
    if (argument.size() < 3 || !argument[2].is_array()) continue;
    all += "[";
    for (const json& extent : argument[2]) all += (all.back() == '[' ? "" : ", ") + compact(extent);
    all += "]";
  }
  return all;
}

std::optional<TunerDatabase::Record> recordOf(const json& entry) {
  if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_array()) return {};
  const json& record = entry[1];
  if (record.empty() || !record[0].is_array() || record[0].size() != 2 || !record[0][0].is_array()) return {};
  const auto workload = entry[0].get<std::int64_t>();
  if (workload < 0) return {};
  TunerDatabase::Record out;
  out.workload = std::size_t(workload);
  out.trace = compact(record[0]);
  out.instructions = record[0][0].size();
  constexpr double kFailed = 1e9;  // a run that failed is written as 10¹⁰ s
  if (record.size() > 1 && record[1].is_array()) {
    for (const json& one : record[1]) {
      const double seconds = one.is_number() ? one.get<double>() : kFailed;
      if (seconds > 0 && seconds < kFailed) out.seconds.push_back(seconds);
    }
  }
  const auto textOf = [&](std::size_t at) { return record.size() > at ? compact(record[at]) : "null"; };
  out.runsText = textOf(1);
  out.targetText = textOf(2);
  out.argumentsText = textOf(3);
  if (record.size() > 2) out.target = targetOf(record[2]);
  if (record.size() > 3) out.arguments = argumentsOf(record[3]);
  return out;
}

template <class Entry, class Read>
void readLines(std::string_view text, const fs::path& file, const Read& read, std::vector<Entry>& into,
               std::vector<Message>& remarks) {
  constexpr int kTold = 5;
  int line = 0, passed = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (entry.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto value = parsed(entry);
    auto made = value ? read(*value) : std::nullopt;
    if (made) {
      made->line = line;
      into.push_back(std::move(*made));
      continue;
    }
    // Records count workloads by their lines.
    if constexpr (std::is_same_v<Entry, TunerDatabase::Workload>) into.push_back({line, "", ""});
    if (++passed <= kTold) {
      remarks.push_back(
          message("line {} of {} is passed over: {}", line, file.filename().string(),
                  value ? message("it is no entry of a tuner's database") : message("it is no JSON, or cut off")));
    }
  }
  if (passed > kTold) {
    remarks.push_back(message("{} more lines of {} are passed over", passed - kTold, file.filename().string()));
  }
}

// Whether the file's first line is an entry: the beginning tells, a workload's line may be long.
bool begins(const fs::path& file, std::string_view name) {
  std::ifstream in(file, std::ios::binary);
  std::string head(256, '\0');
  in.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(in.gcount()));
  std::erase_if(head, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  if (head.size() < 3 || head[0] != '[') return false;
  if (name == kWorkload) return head[1] == '"' && head.find("\",") != std::string::npos;
  std::size_t digits = 1;
  while (digits < head.size() && head[digits] >= '0' && head[digits] <= '9') ++digits;
  return digits > 1 && head.compare(digits, 3, ",[[") == 0;
}

// The sibling of a file whose name has `one` where its has `other`.
fs::path sibling(const fs::path& file, std::string_view one, std::string_view other) {
  std::string name = file.filename().string();
  const std::size_t at = name.rfind(one);
  if (at == std::string::npos) return {};
  return file.parent_path() / name.replace(at, one.size(), other);
}

}  // namespace

std::optional<double> TunerDatabase::Record::mean() const {
  if (seconds.empty()) return std::nullopt;
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / double(seconds.size());
}

std::optional<std::size_t> TunerDatabase::best() const {
  if (records.empty()) return std::nullopt;
  const auto rank = [](const Record& r) { return r.mean().value_or(HUGE_VAL); };
  const auto least = std::min_element(records.begin(), records.end(),
                                      [&](const Record& a, const Record& b) { return rank(a) < rank(b); });
  return std::size_t(least - records.begin());
}

std::vector<std::size_t> TunerDatabase::ranked() const {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [this](std::size_t i) {
    return std::pair(records[i].workload, records[i].mean().value_or(HUGE_VAL));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

std::optional<DatabaseFiles> databaseAt(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    DatabaseFiles files{path / "database_workload.json", path / "database_tuning_record.json"};
    if (fs::exists(files.workload, error) || fs::exists(files.records, error)) return files;
    return std::nullopt;
  }
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  if (path.extension() == ".py" || path.extension() == ".tileloom") return std::nullopt;
  const std::string name = path.filename().string();
  const bool named = path.extension() == ".json";
  if (begins(path, kRecord) || (named && name.find(kRecord) != std::string::npos)) {
    return DatabaseFiles{sibling(path, kRecord, kWorkload), path};
  }
  if (begins(path, kWorkload) || (named && name.ends_with("workload.json"))) {
    return DatabaseFiles{path, sibling(path, kWorkload, kRecord)};
  }
  return std::nullopt;
}

Result<TunerDatabase> readDatabase(const DatabaseFiles& files) {
  std::error_code error;
  if (files.workload.empty() || !fs::exists(files.workload, error)) {
    auto failure =
        fail("NoSuchFile",
             files.workload.empty()
                 ? message("a tuner's database is two files, and the one with the workloads isn't beside it")
                 : message("a tuner's database is two files, and the one with the workloads isn't beside it: {}",
                           files.workload.filename().string()),
             Forbids::Input);
    failure.value().place.file = files.records.string();
    return failure;
  }
  auto workloads = readFile(files.workload);
  if (!workloads) return Failure(workloads.error());
  Result<std::string> records = "";
  const bool recorded = !files.records.empty() && fs::exists(files.records, error);
  if (recorded) records = readFile(files.records);
  if (!records) return Failure(records.error());
  auto database = readDatabase(*workloads, *records, files);
  if (database && !recorded) database->remarks.push_back(message("it has no file of tuning records"));
  return database;
}

Result<TunerDatabase> readDatabase(std::string_view workloads, std::string_view records, const DatabaseFiles& files) {
  TunerDatabase database{files.workload, files.records, {}, {}, {}};
  readLines(workloads, files.workload, workloadOf, database.workloads, database.remarks);
  readLines(records, files.records, recordOf, database.records, database.remarks);
  const bool none = std::all_of(database.workloads.begin(), database.workloads.end(),
                                [](const TunerDatabase::Workload& w) { return w.program.empty(); });
  if (none) {
    auto failure = fail("ParseError", message("no line of it is a workload of a tuner's database: [hash, program]"),
                        Forbids::Input);
    failure.value().place.file = files.workload.string();
    return failure;
  }
  return database;
}

RecordWord recordWord(const std::string& word) {
  const std::size_t mark = word.rfind('#');
  std::error_code error;
  if (mark == std::string::npos || mark == 0 || fs::exists(word, error)) return {word, std::nullopt};
  int number = 0;
  const char *begin = word.data() + mark + 1, *end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc() || stop != end || begin == end) return {word, std::nullopt};
  return {word.substr(0, mark), number};
}

}  // namespace loom::document
