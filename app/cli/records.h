#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "core/document/tuner_database.h"

namespace loom::cli {

/// Prints the records of a tuner's database on stdout if `words` is one word that names a database with several records
/// and doesn't choose a record: ordered by workload and then by time, the fastest first; with `json`, one JSON object a
/// line for each record. Returns the exit status, which is an error's if the database can't be read. Returns nothing,
/// and prints nothing, for any other words, which are to be opened as a target.
std::optional<ExitStatus> listRecords(const std::vector<std::string>& words, bool json);

/// Returns the time that a tuner measured, with its origin and its record, as the JSON object of a state contains it.
nlohmann::ordered_json tunedJson(const document::TunedTime& tuned);

}  // namespace loom::cli
