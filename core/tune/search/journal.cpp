#include "core/tune/search/journal.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "core/compile/program_key.h"
#include "core/gpu/protocol.h"
#include "core/gpu/sql_connection.h"
#include "core/process/home.h"
#include "core/script/printer.h"

namespace loom::tune {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;

constexpr const char* kSchema[] = {
    "CREATE TABLE IF NOT EXISTS searches (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, target TEXT NOT NULL, "
    "device TEXT NOT NULL, driver TEXT NOT NULL, toolkit TEXT NOT NULL, strategy TEXT NOT NULL, seed TEXT NOT NULL, "
    "trials INTEGER NOT NULL, device_seconds REAL NOT NULL, began TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS results (search INTEGER NOT NULL, kernel TEXT NOT NULL, death TEXT NOT NULL, "
    "outcome TEXT NOT NULL, device_seconds REAL NOT NULL, PRIMARY KEY (search, kernel))",
    "CREATE TABLE IF NOT EXISTS candidates (search INTEGER NOT NULL, number INTEGER NOT NULL, sketch TEXT NOT NULL, "
    "assignment TEXT NOT NULL, origin INTEGER NOT NULL, tier TEXT NOT NULL, kernel TEXT NOT NULL, predicted_us REAL, "
    "measured_us REAL, death TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (search, number))",
};

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(std::time(nullptr))); }

std::string textOf(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

// A prediction or time; NULL where there is none.
std::string textOf(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

std::string textOf(const Constraint& constraint) {
  std::string text =
      fmt::format("{} {} {} ≤ {}", constraint.name, constraint.words.english(), int(constraint.kind), constraint.limit);
  for (const Product& term : constraint.terms)
    text += fmt::format(" {}·[{}]", term.coefficient, fmt::join(term.decisions, " "));
  text += fmt::format(" [{}]", fmt::join(constraint.columns, " "));
  for (const std::vector<std::int64_t>& row : constraint.rows) text += fmt::format(" [{}]", fmt::join(row, " "));
  return text;
}

}  // namespace

struct Journal::Connection : gpu::SqlConnection {
  // A newer program's file, and another program's, is left alone.
  Message prepared() {
    const auto version = run("PRAGMA user_version");
    if (version && std::atoi(version->front().front().c_str()) > kVersion) return message("a newer program keeps it");
    bool done = version && run("PRAGMA journal_mode = WAL") && run("PRAGMA synchronous = NORMAL");
    for (const char* table : kSchema) done = done && run(table);
    done = done && run("SELECT id, fingerprint, device_seconds FROM searches LIMIT 0") &&
           run("SELECT search, kernel, outcome FROM results LIMIT 0") &&
           run("SELECT search, number, why FROM candidates LIMIT 0") &&
           run(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
    // A file that can be read and not written shows only here.
    done = done && run("BEGIN IMMEDIATE") && run("ROLLBACK");
    return done ? Message() : verbatim(sqlite3_errmsg(handle));
  }
};

Journal::Journal() : connection_(std::make_unique<Connection>()) {}
Journal::~Journal() = default;

fs::path Journal::defaultFile() {
  const auto folder = process::userFolder("XDG_DATA_HOME", ".local/share");
  return folder ? *folder / "searches.db" : fs::path();
}

Result<std::unique_ptr<Journal>> Journal::open(const fs::path& file) {
  const auto refused = [&](const Message& why) {
    return fail("CantWrite", message("the journal {} can't be used: {}", file.string(), why), Forbids::Environment);
  };
  if (file.empty()) return refused(message("the user has no folder"));
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) return refused(verbatim(error.message()));
  std::unique_ptr<Journal> journal(new Journal());
  sqlite3*& handle = journal->connection_->handle;
  if (sqlite3_open(file.c_str(), &handle) != SQLITE_OK)
    return refused(handle ? verbatim(sqlite3_errmsg(handle)) : message("no memory"));
  sqlite3_busy_timeout(handle, 2000);
  if (const Message why = journal->connection_->prepared(); !why.empty()) return refused(why);
  return journal;
}

bool Journal::write(const char* sql, const std::vector<std::string>& parameters) {
  if (connection_->run(sql, parameters)) return true;
  if (fault_.empty())
    fault_ = message("the journal can't be written: {}", std::string(sqlite3_errmsg(connection_->handle)));
  return false;
}

Result<void> Journal::begin(const SearchRecord& s) {
  const bool begun = write(
      "INSERT INTO searches (fingerprint, target, device, driver, toolkit, strategy, seed, trials, device_seconds, "
      "began) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      {s.fingerprint, s.target, s.device, s.driver, s.toolkit, s.strategy, std::to_string(s.seed),
       std::to_string(s.trials), fmt::format("{}", s.deviceSeconds), now()});
  if (!begun) return fail("CantWrite", fault_, Forbids::Environment);
  search_ = std::to_string(sqlite3_last_insert_rowid(connection_->handle));
  return {};
}

std::optional<SearchRecord> Journal::resume(const std::string& fingerprint, const std::string& device,
                                            std::optional<std::uint64_t> seed,
                                            const std::optional<std::string>& strategy) {
  const auto rows = connection_->run(
      "SELECT id, fingerprint, target, device, driver, toolkit, strategy, seed, trials, device_seconds FROM searches "
      "WHERE fingerprint = ?1 AND device = ?2 AND (?3 = '' OR seed = ?3) AND (?4 = '' OR strategy = ?4) "
      "ORDER BY id DESC LIMIT 1",
      {fingerprint, device, seed ? std::to_string(*seed) : "", strategy.value_or("")});
  if (!rows || rows->empty()) return std::nullopt;
  const auto& row = rows->front();
  search_ = row[0];
  return SearchRecord{row[1],
                      row[2],
                      row[3],
                      row[4],
                      row[5],
                      row[6],
                      std::strtoull(row[7].c_str(), nullptr, 10),
                      std::atoi(row[8].c_str()),
                      std::strtod(row[9].c_str(), nullptr)};
}

std::optional<Journal::Known> Journal::known(const std::string& key) const {
  const auto rows = connection_->run(
      "SELECT death, outcome, device_seconds FROM results WHERE search = ?1 AND kernel = ?2", {search_, key});
  if (search_.empty() || !rows || rows->empty()) return std::nullopt;
  const auto& row = rows->front();
  try {
    const gpu::Outcome outcome = gpu::outcomeFromJson(json::parse(row[1]));
    Known known{{}, std::strtod(row[2].c_str(), nullptr)};
    if (row[0].empty())
      known.result.timing = outcome.timing;
    else
      known.result.death = fail(row[0], outcome.message, Forbids::Hardware).value();
    return known;
  } catch (const json::exception&) {
    return std::nullopt;  // another version's: it is measured again
  }
}

void Journal::put(const std::string& key, const MeasuredKernel& result, double deviceSeconds) {
  if (search_.empty()) return;
  gpu::Outcome outcome;
  outcome.status = result.timing ? gpu::Outcome::Status::Measured : gpu::Outcome::Status::Failed;
  if (result.timing) outcome.timing = *result.timing;
  if (result.death) outcome.message = result.death->message;
  write("INSERT OR REPLACE INTO results VALUES (?1, ?2, ?3, ?4, ?5)",
        {search_, key, result.death ? result.death->code : "", textOf(gpu::toJson(outcome)),
         fmt::format("{}", deviceSeconds)});
}

void Journal::put(std::size_t number, const Candidate& c, const std::string& sketch) {
  if (search_.empty()) return;
  write(
      "INSERT OR REPLACE INTO candidates VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULLIF(?8, ''), NULLIF(?9, ''), ?10, ?11)",
      {search_, std::to_string(number), sketch, textOf(json(c.assignment)), std::to_string(int(c.origin)),
       c.measured     ? "device"
       : c.asCompiled ? "machine code"
                      : "program",
       c.kernel ? c.kernel->key : "", textOf(c.predicted), textOf(c.measured), c.death ? c.death->code : "",
       c.death ? c.death->message.english() : ""});
}

std::string fingerprintOf(const schedule::State& start, const PreparedSearch& prepared) {
  std::string all = script::print(start.module()).text + "\n" + prepared.device.id;
  for (const Sketch& sketch : prepared.plan.sketches) {
    all += "\n" + sketch.name;
    for (const SketchLine& line : sketch.lines) all += fmt::format("\n{} when {}", line.text, line.when);
    for (const Decision& decision : sketch.space.decisions)
      all += fmt::format("\n{} in {}", decision.name, fmt::join(decision.values, " "));
    for (const Constraint& constraint : sketch.space.constraints) all += "\n" + textOf(constraint);
  }
  return compile::contentHash(all);
}

Result<MeasuredBatch> JournaledMeasurer::measure(const Kernels& kernels, bool sideBySide,
                                                 const gpu::Progress& progress) {
  if (sideBySide) return measurer_.measure(kernels, true, progress);
  MeasuredBatch all;
  all.kernels.resize(kernels.size());
  Kernels rest;
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    if (auto known = journal_.known(kernels[n]->key)) {
      all.kernels[n] = std::move(known->result);
      all.deviceSeconds += known->deviceSeconds;
      ++replayed_;
    } else {
      rest.push_back(kernels[n]);
      places.push_back(n);
    }
  }
  if (rest.empty()) return all;
  auto batch = measurer_.measure(rest, false, progress);
  if (!batch) return batch;
  all.deviceSeconds += batch->deviceSeconds;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    if (!written_) journal_.put(rest[n]->key, batch->kernels[n], batch->deviceSeconds / double(rest.size()));
    all.kernels[places[n]] = std::move(batch->kernels[n]);
  }
  return all;
}

}  // namespace loom::tune
