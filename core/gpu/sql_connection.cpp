#include "core/gpu/sql_connection.h"

#include <sqlite3.h>

namespace loom::gpu {

SqlConnection::~SqlConnection() { sqlite3_close(handle); }

std::optional<std::vector<std::vector<std::string>>> SqlConnection::run(const char* sql,
                                                                        const std::vector<std::string>& parameters) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) != SQLITE_OK) return std::nullopt;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    sqlite3_bind_text(statement, int(i) + 1, parameters[i].c_str(), -1, SQLITE_TRANSIENT);
  }
  std::vector<std::vector<std::string>> rows;
  int status;
  while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    rows.emplace_back();
    for (int c = 0; c < sqlite3_column_count(statement); ++c) {
      auto* text = sqlite3_column_text(statement, c);
      rows.back().push_back(text ? reinterpret_cast<const char*>(text) : "");
    }
  }
  sqlite3_finalize(statement);
  if (status != SQLITE_DONE) return std::nullopt;
  return rows;
}

}  // namespace loom::gpu
