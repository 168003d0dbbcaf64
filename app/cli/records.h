#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "core/document/tuner_database.h"

namespace loom::cli {

/// Prints the records of a tuner's database, if `words` name a database with several records but none of them: by
/// workload, the fastest first; as one JSON object for each with `json`. Returns the exit status; returns nothing for
/// any other words, which are to be opened as a target.
std::optional<ExitStatus> listRecords(const std::vector<std::string>& words, bool json);

/// Returns a tuner's time, with its origin, as the JSON of a state has it.
nlohmann::ordered_json tunedJson(const document::TunedTime& tuned);

}  // namespace loom::cli
