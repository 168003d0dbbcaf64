#pragma once

#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace loom::gpu {

/// A connection to a file of SQLite, which closes with it.
struct SqlConnection {
  sqlite3* handle = nullptr;  ///< null until the file is opened

  SqlConnection() = default;
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;
  ~SqlConnection();

  /// Runs a statement with text in place of its parameters, and returns each row's columns as text; an empty one for
  /// NULL. Nothing if it can't be run: sqlite3_errmsg says why.
  std::optional<std::vector<std::vector<std::string>>> run(const char* sql,
                                                           const std::vector<std::string>& parameters = {});
};

}  // namespace loom::gpu
