#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "core/document/tuner_database.h"

namespace loom::cli {

/// Of a word that names a tuner's database with several records and none of them: prints the records, by workload and
/// the fastest first, a JSON object each where `json`. Nothing for any other words, which are to be opened.
std::optional<ExitStatus> listRecords(const std::vector<std::string>& words, bool json);

/// A tuner's time as a state's JSON holds it, with its origin.
nlohmann::ordered_json tunedJson(const document::TunedTime& tuned);

}  // namespace loom::cli
