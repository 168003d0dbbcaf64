#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "core/document/tuner_database.h"

namespace loom::cli {

/// Prints the records of a tuner's database (schedules that TVM's tuner has tried, with their times) on stdout if
/// `words` is one word that names a database with several records and doesn't choose one by "#N" at its end: ordered by
/// workload and then by time, the fastest first, with remarks on stderr. With `json`, prints a JSON object a line for
/// each record: "record" (its number N among the file's readable records, from 1), "workload" (from 1), "seconds" (mean
/// time of a run, as the tuner measured it; null if the record has none), "runs" (their number), "target" (TVM's words
/// for the device), "arguments" (of the function), "instructions" (number of the trace's instructions) and "line" (of
/// the file). Returns kDone; if the database can't be read, prints the error on stderr and returns its exit status.
/// Returns nothing, and prints nothing, for any other words, which name a program to open.
std::optional<ExitStatus> listRecords(const std::vector<std::string>& words, bool json);

/// Returns the time that a tuner measured as a JSON object, which the JSON object of a state (the program after some
/// schedule steps) contains: "origin" ("tuner's record"), "record" (its number, as in `listRecords`), "seconds" (mean
/// time of a run; null if the record has none), "runs", "target" (TVM's words for the device), and "whole" (whether all
/// of the record's trace was applied; if not, the time isn't that of the state).
nlohmann::ordered_json tunedJson(const document::TunedTime& tuned);

}  // namespace loom::cli
