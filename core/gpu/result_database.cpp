#include "core/gpu/result_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"
#include "core/gpu/sql_connection.h"
#include "core/process/home.h"
#include "core/process/json_error.h"

namespace loom::gpu {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {
// Of the database and of recordings. 2: sources are compile::programKey; before, they were of the text alone.
constexpr int kVersion = 2;
}  // namespace

struct ResultDatabase::Connection : SqlConnection {
  bool newer = false;  // set by `ofThisVersion`
  Message fault;       // set by `intact`: why nothing can be kept in it
  bool intact() {
    auto rows = run("PRAGMA quick_check(1)");
    if (rows && (rows->empty() || rows->front().front() != "ok")) fault = message("was damaged");
    return rows && fault.empty();
  }
  int version() {
    auto rows = run("PRAGMA user_version");
    return rows && !rows->empty() ? std::atoi(rows->front().front().c_str()) : 0;
  }
  // A newer program's keys may be of another kind: what we put among them could be taken for another program's.
  bool isNewer() { return newer = version() > kVersion; }
  void setVersion() {
    if (version() < kVersion) run(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
  }
  // A table of that name that another program made would take nothing and find nothing, without a word.
  bool ours(const std::vector<std::string>& columns, std::size_t keys) {
    auto rows = run("SELECT name, pk FROM pragma_table_info('results') ORDER BY cid");
    bool same = rows && rows->size() == columns.size();
    for (std::size_t i = 0; same && i < columns.size(); ++i) {
      same = (*rows)[i][0] == columns[i] && (*rows)[i][1] == std::to_string(i < keys ? i + 1 : 0);
    }
    if (rows && !same) fault = message("has another program's table \"results\"");
    return same;
  }
};

ResultDatabase::ResultDatabase() : connection_(std::make_unique<Connection>()) {}
ResultDatabase::~ResultDatabase() = default;

namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS results (source TEXT NOT NULL, compiler TEXT NOT NULL, device TEXT NOT NULL, "
    "driver TEXT NOT NULL, method TEXT NOT NULL, date TEXT NOT NULL, outcome TEXT NOT NULL, "
    "PRIMARY KEY (source, compiler, device, driver, method))";
const std::vector<std::string> kColumns = {"source", "compiler", "device", "driver", "method", "date", "outcome"};
constexpr std::size_t kKeyColumns = 5;  // the first ones

// Where a file that can't be used is set aside: what was set aside before stays.
fs::path asideOf(const fs::path& file) {
  constexpr int kMost = 100;
  std::error_code error;
  for (int i = 1;; ++i) {
    fs::path aside = file;
    aside += i == 1 ? ".broken" : fmt::format(".broken{}", i);
    if (i == kMost || !fs::exists(aside, error)) return aside;
  }
}

}  // namespace

Result<std::unique_ptr<ResultDatabase>> ResultDatabase::open(const fs::path& file) {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  Message setAside;
  for (;;) {
    std::unique_ptr<ResultDatabase> results(new ResultDatabase());
    sqlite3*& handle = results->connection_->handle;
    bool opened = sqlite3_open(file.c_str(), &handle) == SQLITE_OK;
    if (opened) {
      sqlite3_busy_timeout(handle, 2000);
      // A look at everything that is there: damage must show now, not as results that quietly aren't found.
      Connection& database = *results->connection_;
      opened =
          database.run(kSchema) && database.intact() && !database.isNewer() && database.ours(kColumns, kKeyColumns);
    }
    if (opened) {
      results->connection_->setVersion();
      results->setAside_ = setAside;
      return results;
    }
    int status = handle ? sqlite3_errcode(handle) : SQLITE_NOMEM;
    Message why = handle ? verbatim(sqlite3_errmsg(handle)) : message("no memory");
    if (results->connection_->newer) why = message("a newer program keeps it");
    Message fault = results->connection_->fault;
    if (fault.empty() && (status == SQLITE_NOTADB || status == SQLITE_CORRUPT)) fault = message("was damaged");
    results.reset();
    if (!fault.empty() && setAside.empty()) {
      const fs::path aside = asideOf(file);
      fs::rename(file, aside, error);
      if (!error) {
        setAside = message("the database {} {}; it was set aside as {}", file.string(), fault, aside.string());
        continue;
      }
      why = fault;
    }
    return fail("CantWrite", message("the database {} can't be used: {}", file.string(), why), Forbids::Environment);
  }
}

std::unique_ptr<ResultDatabase> ResultDatabase::inMemory() {
  std::unique_ptr<ResultDatabase> results(new ResultDatabase());
  sqlite3_open(":memory:", &results->connection_->handle);
  results->connection_->run(kSchema);
  results->connection_->setVersion();
  return results;
}

Result<void> ResultDatabase::put(const StoredResult& r) {
  auto done = connection_->run("INSERT OR REPLACE INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                               {r.key.source, r.key.compiler, r.key.device, r.key.driver, r.key.method, r.date,
                                toJson(r.outcome).dump(-1, ' ', false, json::error_handler_t::replace)});
  if (!done) {
    return fail("CantWrite", message("a result can't be stored: {}", sqlite3_errmsg(connection_->handle)),
                Forbids::Environment);
  }
  return {};
}

std::optional<StoredResult> ResultDatabase::find(const std::string& source, const std::string& device) const {
  auto rows = connection_->run(
      "SELECT source, compiler, device, driver, method, date, outcome FROM results "
      "WHERE source = ?1 AND (?2 = '' OR device = ?2) ORDER BY date DESC, rowid DESC LIMIT 1",
      {source, device});
  if (!rows || rows->empty()) return std::nullopt;
  const auto& row = rows->front();
  json outcome = json::parse(row[6], nullptr, false);
  try {
    return StoredResult{
        {row[0], row[1], row[2], row[3], row[4]}, outcomeFromJson(outcome), row[5], ResultOrigin::Measured};
  } catch (const json::exception&) {
    return std::nullopt;  // another version's
  }
}

fs::path ResultDatabase::defaultFile() {
  const auto folder = process::userFolder("XDG_DATA_HOME", ".local/share");
  return folder ? *folder / "results.db" : fs::path();
}

std::string writeRecording(const Recording& r) {
  nlohmann::ordered_json j;
  j["recording"] = kVersion;
  j["target"] = r.target;
  j["date"] = r.date;
  j["program"] = r.program;
  j["device"] = toJson(r.device);
  j["compiler"] = r.compiler;
  j["method"] = r.method;
  j["workload"] = r.workload;
  j["vendor"] = toJson(r.vendor);
  // An entry a line.
  std::string text = j.dump(1);
  text.resize(text.size() - 2);  // without "\n}"
  text += ",\n \"entries\": [";
  for (std::size_t i = 0; i < r.entries.size(); ++i) {
    json entry = {{"source", r.entries[i].source}, {"outcome", toJson(r.entries[i].outcome)}};
    text += (i ? ",\n  " : "\n  ") + entry.dump();
  }
  return text + "\n ]\n}\n";
}

Result<Recording> readRecording(const std::string& text, const std::string& file) {
  json j = json::parse(text, nullptr, false);
  if (j.is_discarded())
    return fail("ParseError", message("{} is no recording: {}", file, message("it is no JSON, or cut off")),
                Forbids::Input);
  try {
    const double version = j.at("recording");  // which any number of a file fits in
    if (version > kVersion)
      return fail("NewerVersion", message("{} was recorded by a newer program", file), Forbids::Input);
    if (version < kVersion) {
      return fail("OlderVersion",
                  message("{} was recorded by an older program, which didn't tell programs of one text apart", file),
                  Forbids::Input);
    }
    Recording r;
    r.target = j.at("target");
    r.date = j.at("date");
    r.program = j.at("program");
    r.device = deviceFromJson(j.at("device"));
    r.compiler = j.at("compiler");
    r.method = j.at("method");
    r.workload = j.at("workload");
    r.vendor = vendorFromJson(j.at("vendor"));
    for (const json& e : j.at("entries")) r.entries.push_back({e.at("source"), outcomeFromJson(e.at("outcome"))});
    return r;
  } catch (const json::exception& e) {
    return fail("ParseError", message("{} is no recording: {}", file, process::reasonOf(e)), Forbids::Input);
  }
}

const char* originName(ResultOrigin origin) {
  switch (origin) {
    case ResultOrigin::Measured: return "measured";
    case ResultOrigin::Recorded: return "recorded";
    case ResultOrigin::Executed: return "executed on the CPU";
  }
  return "";
}

std::string workloadKey(const Matmul& m) {
  std::string key =
      fmt::format("matmul {} {}{}x{}x{} {}{} {}", m.input.str(), m.batch == 1 ? "" : fmt::format("{} of ", m.batch),
                  m.m, m.n, m.k, m.aTransposed ? "T" : "N", m.bTransposed ? "T" : "N", m.output.str());
  for (const auto& [name, own] : {std::pair{'A', m.ownA}, {'B', m.ownB}, {'D', m.ownD}})
    if (own)
      key += fmt::format(" {} from {} by {} {}{}", name, own->start, own->row, own->column,
                         m.batch == 1 ? "" : fmt::format(" and {}", own->batch));
  if (m.factorDigits != 0) key += fmt::format(" factors of {} digits", m.factorDigits);
  return key;
}

}  // namespace loom::gpu
